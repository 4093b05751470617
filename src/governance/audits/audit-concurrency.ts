import { WaitingTurns } from '../../core/concurrency-limiter';

/**
 * Whose turn it is to run an audit. A run keeps a connection and the processor for seconds, so a process has few at a
 * time, and the others wait in line without either.
 */
export class RunTurns extends WaitingTurns {
  constructor() {
    super({
      atOnce: 2,
      waiting: 20,
      longestWait: 10_000,
      refusal: 'Too many audits are being run. Try again.',
    });
  }
}
