/** Keystone did not say whether a token is valid. */
export class KeystoneAway extends Error {
  override readonly name = 'KeystoneAway';

  /**
   * @param message what keeps it from saying so, for the log
   * @param pauseMs for how long it is not worth asking about any token, in milliseconds; undefined where that is not known,
   * for it may be this one that Keystone stumbles over: nobody must be able to shut out others by what he sends
   */
  constructor(
    message: string,
    readonly pauseMs: number | undefined,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** It may be back at any time. */
export const BRIEFLY_MS = 1_000;

/** Somebody has to mend something; and who asks with a wrong password again and again is locked out. */
export const FOR_A_WHILE_MS = 10_000;
