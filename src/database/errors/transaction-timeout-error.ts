/** A transaction took longer than it may. It was rolled back, unless it was being committed just then. */
export class TimeOver extends Error {
  override readonly name = 'TimeOver';

  constructor(seconds: number) {
    super(`a transaction took longer than ${String(seconds)} seconds`);
  }
}
