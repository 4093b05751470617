/** Exponential back-off: each delay is twice as long as the one before, up to a maximum. */
export class Backoff {
  private nextMs: number;

  constructor(
    private readonly minMs: number,
    private readonly maxMs: number,
  ) {
    this.nextMs = minMs;
  }

  /** @returns the delay before the next attempt, in milliseconds */
  next(): number {
    const delayMs = this.nextMs;
    this.nextMs = Math.min(delayMs * 2, this.maxMs);
    return delayMs;
  }

  /** Called after a success. */
  reset(): void {
    this.nextMs = this.minMs;
  }
}
