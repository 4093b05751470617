/** How long the database may take for one thing. */
export interface TimeLimits {
  /** For one statement, in seconds. The database itself ends a statement that takes longer. */
  readonly statement: number;
  /** For one transaction, in seconds. */
  readonly transaction: number;
}

/**
 * In milliseconds: so much later than the database should have ended a statement it is given up. Either the answer was
 * lost on its way, or whoever should have ended it stands still.
 */
const ANSWER_MARGIN = 5_000;

/** For how long, in milliseconds, the answer to one statement is waited for. */
export const queryTimeout = ({ statement }: TimeLimits): number => statement * 1000 + ANSWER_MARGIN;

/** The injection token of `TimeLimits`. Without it there are none: commands take the time that they take. */
export const TIME_LIMITS = Symbol('time limits');
