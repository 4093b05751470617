import { InventoryError } from './errors';
import { setImmediate as nextIteration } from 'node:timers/promises';

/** Concurrent calls with the same first argument share one run, and its result or error. */
export function singleFlight<Args extends readonly unknown[], T>(
  work: (...args: Args) => Promise<T>,
): (...args: Args) => Promise<T> {
  const running = new Map<unknown, Promise<T>>();
  return (...args) => {
    const [key] = args;
    const shared = running.get(key);
    if (shared) return shared;
    const run = work(...args).finally(() => running.delete(key));
    running.set(key, run);
    return run;
  };
}

/**
 * Calls during a run share the next run. So no result is older than its call, and there is one run at a time.
 */
export function coalesce<T>(work: () => Promise<T>): () => Promise<T> {
  let latest: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  const runAfter = async (previous: Promise<unknown>): Promise<T> => {
    await previous;
    // Requests that arrived at the same time join this run.
    await nextIteration();
    next = undefined;
    const run = work();
    // The callers handle the error.
    latest = run.catch(() => undefined);
    return run;
  };
  return () => (next ??= runAfter(latest));
}

export interface ConcurrencyLimits {
  readonly maxConcurrent: number;
  /** Without it, calls beyond `maxConcurrent` are rejected at once. */
  readonly queue?: { readonly maxLength: number; readonly timeoutMs: number };
  /** The message of rejected calls. */
  readonly message: string;
  readonly retryAfterSeconds: number;
}

interface RunOptions {
  /** Removes the call from the queue. */
  readonly signal?: AbortSignal;
  readonly onQueued?: (() => void) | undefined;
  /** Lower numbers leave the queue first; absent: zero. */
  readonly order?: number;
}

/** A semaphore with a bounded queue. Queued calls with the same `order` run in the order of their arrival. */
export class ConcurrencyLimiter {
  private running = 0;
  private readonly queue = new Map<() => void, number>();

  constructor(private readonly limits: ConcurrencyLimits) {}

  /** The number of queued calls. */
  get queued(): number {
    return this.queue.size;
  }

  /**
   * @param work its argument says whether the call was queued: values read before can be outdated
   * @throws InventoryError 503 if the queue is full, or the call was queued for too long
   */
  async run<T>(work: (wasQueued: boolean) => Promise<T>, options: RunOptions = {}): Promise<T> {
    const isQueued = this.running >= this.limits.maxConcurrent;
    if (isQueued) await this.enqueue(options);
    else this.running++;
    try {
      return await work(isQueued);
    } finally {
      this.release();
    }
  }

  /** Resolves when a finished call hands over its slot. */
  private async enqueue({ signal, onQueued, order = 0 }: RunOptions): Promise<void> {
    const { maxLength, timeoutMs } = this.limits.queue ?? { maxLength: 0, timeoutMs: 0 };
    if (signal?.aborted === true || this.queue.size >= maxLength) throw this.rejection();
    onQueued?.();
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        this.queue.delete(start);
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
      };
      const start = (): void => {
        leave();
        resolve();
      };
      const giveUp = (): void => {
        leave();
        reject(this.rejection());
      };
      const timer = setTimeout(giveUp, timeoutMs);
      signal?.addEventListener('abort', giveUp);
      this.queue.set(start, order);
    });
  }

  private release(): void {
    let next: (() => void) | undefined;
    let lowest = Infinity;
    for (const [start, order] of this.queue) {
      if (order >= lowest) continue;
      lowest = order;
      next = start;
    }
    if (next) next();
    else this.running--;
  }

  private rejection(): InventoryError {
    const { message, retryAfterSeconds } = this.limits;
    return new InventoryError('unavailable', message, [], { 'retry-after': String(retryAfterSeconds) });
  }
}
