import { WaitingTurns } from '../../core/concurrency-limiter';

/**
 * Limits the concurrent audit runs of a process. A run uses a connection and the CPU for seconds. Waiting runs hold
 * neither.
 */
export class RunTurns extends WaitingTurns {
  constructor() {
    super({
      atOnce: 2,
      waiting: 20,
      longestWait: 10_000,
      refusal: 'Too many audits are running. Retry later.',
    });
  }
}
