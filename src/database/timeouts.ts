/** The timeouts of statements and transactions. */
export interface TimeLimits {
  /** For one statement, in seconds. The database itself enforces it. */
  readonly statement: number;
  /** For one transaction, in seconds. */
  readonly transaction: number;
}

/**
 * How much later than the statement timeout the client gives up: then the response was lost, or the server does not
 * respond.
 */
const RESPONSE_MARGIN_MS = 5_000;

/** The query timeout of the client, in milliseconds. */
export const queryTimeout = ({ statement }: TimeLimits): number => statement * 1000 + RESPONSE_MARGIN_MS;

/** The injection token of `TimeLimits`. Commands do not provide it, so they have no timeouts. */
export const TIME_LIMITS = Symbol('time limits');
