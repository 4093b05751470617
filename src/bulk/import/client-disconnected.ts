/** The client of an import disconnected before the import was committed. */
export class Gone extends Error {
  constructor() {
    super('the client of an import disconnected');
  }
}
