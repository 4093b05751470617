import { InventoryError } from './errors/inventory-error';

/** How many may do something, and how many may wait for it. */
export interface TurnLimits {
  readonly atOnce: number;
  readonly waiting: number;
  /** In milliseconds. */
  readonly longestWait: number;
  /** What whoever finds no place, or waits for too long, is told. */
  readonly refusal: string;
}

/** Lets only so many do something at a time; some more wait in line. */
export class WaitingTurns {
  private running = 0;
  /** In the order in which they came. */
  private readonly waiting = new Set<() => void>();

  constructor(private readonly limits: TurnLimits) {}

  /**
   * Does work when it is its turn.
   * @param gone ends the waiting of a client that is not there any more
   * @param work is told whether it had to wait: what was known before may not hold any more
   * @param stepAside called when it begins to wait
   * @throws InventoryError 503 if too many wait already, or for too long
   */
  async take<T>(
    gone: AbortSignal,
    work: (hasWaited: boolean) => Promise<T>,
    stepAside?: () => void,
  ): Promise<T> {
    const hasToWait = this.running >= this.limits.atOnce;
    if (hasToWait) await this.wait(gone, stepAside);
    else this.running++;
    try {
      return await work(hasToWait);
    } finally {
      this.pass();
    }
  }

  /** Resolves when somebody passes his turn on. */
  private async wait(gone: AbortSignal, stepAside?: () => void): Promise<void> {
    if (gone.aborted || this.waiting.size >= this.limits.waiting) throw this.busy();
    stepAside?.();
    await new Promise<void>((resolve, reject) => {
      const end = (): void => {
        this.waiting.delete(begin);
        clearTimeout(timer);
        gone.removeEventListener('abort', giveUp);
      };
      const begin = (): void => {
        end();
        resolve();
      };
      const giveUp = (): void => {
        end();
        reject(this.busy());
      };
      const timer = setTimeout(giveUp, this.limits.longestWait);
      gone.addEventListener('abort', giveUp);
      this.waiting.add(begin);
    });
  }

  private pass(): void {
    const [next] = this.waiting;
    if (next) next();
    else this.running--;
  }

  private busy(): InventoryError {
    return new InventoryError('unavailable', this.limits.refusal, [], { 'retry-after': '5' });
  }
}
