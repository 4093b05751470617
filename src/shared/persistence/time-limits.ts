/** How long the database may take for one thing. */
export interface TimeLimits {
  /** For one statement, in seconds. The database itself ends a statement that takes longer. */
  readonly statement: number;
  /** For one transaction, in seconds. */
  readonly transaction: number;
}

/** The injection token of `TimeLimits`. Without it there are none: commands take the time that they take. */
export const TIME_LIMITS = Symbol('time limits');
