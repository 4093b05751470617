import { InventoryError } from './errors';

/** How long a request may work, which also ends when its client disconnects. */
export class TimeBudget {
  private readonly deadline: number;

  constructor(
    private readonly disconnected: AbortSignal,
    timeoutMs: number,
  ) {
    this.deadline = performance.now() + timeoutMs;
  }

  /** Whether work that can stop early may go on. @throws InventoryError 503 if the client disconnected */
  hasTime(): boolean {
    // The client does not receive this error.
    if (this.disconnected.aborted) throw new InventoryError('unavailable', 'The client disconnected.');
    return performance.now() < this.deadline;
  }

  /** In milliseconds. Not positive once the time is over. */
  protected get remainingMs(): number {
    return this.deadline - performance.now();
  }
}
