/** Whoever sent an import has left before it was written. */
export class Gone extends Error {
  constructor() {
    super('the client of an import has left');
  }
}
