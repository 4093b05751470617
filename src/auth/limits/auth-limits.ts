/** The rate limits of authentication. */
export interface AuthLimits {
  /** Requests per second and key; 0 disables the limit. */
  readonly rate: number;
  /** Failed authentications per minute, by address and user. */
  readonly wrongCredentials: number;
}

/** The injection token of `AuthLimits`. */
export const AUTH_LIMITS = Symbol('auth limits');
