/** The connection was lost while a change was being committed: it may have been done, or not. The cause is what was lost. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';

  constructor(cause: unknown) {
    super('a connection was lost while it committed', { cause });
  }
}
