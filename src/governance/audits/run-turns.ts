import { Injectable } from '@nestjs/common';
import { InventoryError } from '../../shared/errors/inventory-error';

const MOST_AT_ONCE = 2;
const MOST_WAITING = 20;
/** In milliseconds. */
const LONGEST_WAIT = 10_000;

/**
 * Whose turn it is to run an audit. A run keeps a connection and the processor for seconds, so a process has few at a
 * time, and the others wait in line without either.
 */
@Injectable()
export class RunTurns {
  private running = 0;
  /** In the order in which they came. */
  private readonly waiting = new Set<() => void>();

  /**
   * Does work when it is its turn.
   * @param gone ends the waiting of a client that is not there any more
   * @throws InventoryError 503 if too many wait already, or for too long
   */
  async take<T>(gone: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.running < MOST_AT_ONCE) this.running++;
    else await this.wait(gone);
    try {
      return await work();
    } finally {
      this.pass();
    }
  }

  /** Resolves when somebody passes his turn on. */
  private async wait(gone: AbortSignal): Promise<void> {
    if (gone.aborted || this.waiting.size >= MOST_WAITING) throw busy();
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
        reject(busy());
      };
      const timer = setTimeout(giveUp, LONGEST_WAIT);
      gone.addEventListener('abort', giveUp);
      this.waiting.add(begin);
    });
  }

  private pass(): void {
    const [next] = this.waiting;
    if (next) next();
    else this.running--;
  }
}

const busy = (): InventoryError =>
  new InventoryError('unavailable', 'Too many audits are being run. Try again.', [], { 'retry-after': '5' });
