/** A transaction finds that others were faster, in a way that the database does not watch over: it is done anew. */
export class Overtaken extends Error {
  constructor() {
    super('a transaction was overtaken by another');
  }
}
