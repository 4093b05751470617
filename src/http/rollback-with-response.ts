import type { Answer } from './response';

/**
 * Thrown to end a request's work with an answer: what is within a transaction is rolled back by it, as by every
 * error, and yet the client gets what was found out. The filter of errors sends it.
 */
export class Interruption extends Error {
  constructor(readonly answer: Answer) {
    super('interrupted by an answer');
  }
}
