/** How often somebody may ask, and be wrong. */
export interface AuthLimits {
  /** In requests a second, by key; 0 for any number. */
  readonly rate: number;
  /** In a minute, by address and user: so many answers say that credentials are wrong. */
  readonly wrongCredentials: number;
}

/** The injection token of `AuthLimits`. */
export const AUTH_LIMITS = Symbol('auth limits');
