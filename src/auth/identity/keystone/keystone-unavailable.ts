/** Keystone could not validate a token. */
export class KeystoneAway extends Error {
  override readonly name = 'KeystoneAway';

  /**
   * @param message the cause, for the log
   * @param pauseMs the milliseconds until the next request; undefined if the circuit breaker stays closed, because only
   *   this token can be the cause, and a client must not be able to block the requests of others
   */
  constructor(
    message: string,
    readonly pauseMs: number | undefined,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The pause after a temporary failure. */
export const BRIEFLY_MS = 1_000;

/** The pause after a failure that an operator must fix. Frequent attempts with a wrong password would lock the user. */
export const FOR_A_WHILE_MS = 10_000;
