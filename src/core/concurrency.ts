import { InventoryError } from './errors';
import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';

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
    await nextEventLoopTurn();
    next = undefined;
    const run = work();
    // The callers handle the error.
    latest = run.catch(() => undefined);
    return run;
  };
  return () => (next ??= runAfter(latest));
}

/**
 * The results of concurrent work. Other than `Promise.all`, it waits for all of it before it throws an error: nothing goes on
 * after the caller has cleaned up.
 */
export async function awaitBoth<A, B>(a: Promise<A>, b: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([a, b]);
  return Promise.all([a, b]);
}

/** Lets the event loop run other work. For work in short steps, see `SteppedWork`. */
export { nextEventLoopTurn };

/** How long (ms) work without I/O may run before it lets the event loop run other work. */
const MAX_TURN_MS = 20;

/** Work without I/O in steps, between which the event loop runs other work: otherwise, all requests would wait for its end. */
export class SteppedWork {
  private startedAt = performance.now();

  constructor(private readonly maxTurnMs = MAX_TURN_MS) {}

  /** Called between two steps. Most of the time, it returns at once. */
  async yieldIfDue(): Promise<void> {
    if (performance.now() - this.startedAt < this.maxTurnMs) return;
    await nextEventLoopTurn();
    this.startedAt = performance.now();
  }
}

const TIMEOUT_STEP_MS = 100;

/**
 * The result of some work, or undefined if it takes longer than the timeout. The time is counted in timer steps: after
 * the event loop was blocked, a single timer would expire before responses that arrived meanwhile are read.
 * @throws what the work throws within the time
 */
export async function resultWithin<T>(work: Promise<T>, timeoutMs: number): Promise<T | undefined> {
  let steps = Math.ceil(timeoutMs / TIMEOUT_STEP_MS);
  let clock: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    clock = setInterval(() => {
      if (--steps <= 0) resolve(undefined);
    }, TIMEOUT_STEP_MS);
  });
  return Promise.race([work, timeout]).finally(() => {
    clearInterval(clock);
  });
}

/** Whose work a call is. A `RequestContext` is one. */
export interface Caller {
  readonly principal: { readonly userId: number };
  readonly projectId: string;
}

/** How much of a limit one user and one project can have, so that the rest is left for others. */
export interface Shares {
  readonly maxPerUser: number;
  readonly maxPerProject: number;
}

/** Half of a limit for a user, and three quarters for a project. Of a limit of one, each can have all. */
export function sharesOf(max: number): Shares {
  const maxPerUser = Math.ceil(max / 2);
  return { maxPerUser, maxPerProject: Math.max(maxPerUser, Math.floor((max * 3) / 4)) };
}

type ShareOwner = 'user' | 'project';

/** Counts what each user and each project uses of a limit: calls, or bytes. */
export class CallerCounts {
  private readonly counts = new Map<number | string, number>();

  constructor(readonly shares: Shares) {}

  /** The number of the caller's user; 0 without a caller. */
  ofUser(caller: Caller | undefined): number {
    return caller ? (this.counts.get(caller.principal.userId) ?? 0) : 0;
  }

  /** Whose share is used up; undefined if the caller has room, or if there is no caller. */
  exhausted(caller: Caller | undefined): ShareOwner | undefined {
    if (!caller) return undefined;
    if (this.ofUser(caller) >= this.shares.maxPerUser) return 'user';
    return (this.counts.get(caller.projectId) ?? 0) >= this.shares.maxPerProject ? 'project' : undefined;
  }

  add(caller: Caller | undefined, difference: number): void {
    if (!caller) return;
    // Ids of users are numbers and those of projects are texts, so they differ.
    for (const key of [caller.principal.userId, caller.projectId]) {
      const count = (this.counts.get(key) ?? 0) + difference;
      if (count === 0) this.counts.delete(key);
      else this.counts.set(key, count);
    }
  }
}

const UNSHARED: Shares = { maxPerUser: Infinity, maxPerProject: Infinity };

export interface ConcurrencyLimits {
  readonly maxConcurrent: number;
  /** Without it, calls beyond the limits are rejected at once. */
  readonly queue?: { readonly maxLength: number; readonly timeoutMs: number };
  /** The message of rejected calls. */
  readonly message: string;
  readonly retryAfterSeconds: number;
  /** The shares of users and projects, and what the calls are, for the message: `exports`. The places in the queue are shared by `sharesOf`. */
  readonly shares?: Shares & { readonly callsName: string };
}

interface RunOptions {
  /** Without it, the call does not count towards a share. */
  readonly caller?: Caller | undefined;
  /** Removes the call from the queue. */
  readonly signal?: AbortSignal;
  readonly onQueued?: (() => void) | undefined;
  /** Of the calls of one user, lower numbers leave the queue first; absent: zero. */
  readonly order?: number;
}

interface QueuedCall {
  readonly start: () => void;
  readonly caller: Caller | undefined;
  readonly order: number;
}

/**
 * A semaphore with a bounded queue, and shares of users and projects. The next call from the queue is one of the user
 * with the fewest running calls; of these the one with the lowest `order`, and then the oldest.
 */
export class ConcurrencyLimiter {
  private runningCount = 0;
  private readonly running: CallerCounts;
  private readonly queue = new Set<QueuedCall>();
  private readonly waiting: CallerCounts;

  constructor(private readonly limits: ConcurrencyLimits) {
    const { shares, queue } = limits;
    this.running = new CallerCounts(shares ?? UNSHARED);
    this.waiting = new CallerCounts(shares ? sharesOf(queue?.maxLength ?? 0) : UNSHARED);
  }

  /** The number of queued calls. */
  get queued(): number {
    return this.queue.size;
  }

  /**
   * @param work its argument says whether the call was queued: values read before can be outdated
   * @throws InventoryError 503 if the queue is full, or the call was queued for too long
   */
  async run<T>(work: (wasQueued: boolean) => Promise<T>, options: RunOptions = {}): Promise<T> {
    const { caller } = options;
    const isQueued = !this.canStart(caller);
    if (isQueued) await this.enqueue(options);
    else this.started(caller);
    try {
      return await work(isQueued);
    } finally {
      this.runningCount--;
      this.running.add(caller, -1);
      this.startQueued();
    }
  }

  private canStart(caller: Caller | undefined): boolean {
    return this.runningCount < this.limits.maxConcurrent && this.running.exhausted(caller) === undefined;
  }

  private started(caller: Caller | undefined): void {
    this.runningCount++;
    this.running.add(caller, 1);
  }

  /** Resolves when the call counts as running. */
  private async enqueue({ caller, signal, onQueued, order = 0 }: RunOptions): Promise<void> {
    const { maxLength, timeoutMs } = this.limits.queue ?? { maxLength: 0, timeoutMs: 0 };
    if (signal?.aborted === true || this.queue.size >= maxLength || this.waiting.exhausted(caller))
      throw this.rejection(caller);
    onQueued?.();
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        this.queue.delete(call);
        this.waiting.add(caller, -1);
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
      };
      const giveUp = (): void => {
        leave();
        reject(this.rejection(caller));
      };
      const start = (): void => {
        leave();
        this.started(caller);
        resolve();
      };
      const call: QueuedCall = { start, caller, order };
      const timer = setTimeout(giveUp, timeoutMs);
      signal?.addEventListener('abort', giveUp);
      this.queue.add(call);
      this.waiting.add(caller, 1);
    });
  }

  /** Starts the queued calls for which there is room. A call that ends can make room for two: for its user and its project. */
  private startQueued(): void {
    for (let next = this.nextQueued(); next; next = this.nextQueued()) next.start();
  }

  private nextQueued(): QueuedCall | undefined {
    let best: QueuedCall | undefined;
    let fewest = Infinity;
    for (const call of this.queue) {
      if (!this.canStart(call.caller)) continue;
      const count = this.running.ofUser(call.caller);
      if (best && (count > fewest || (count === fewest && call.order >= best.order))) continue;
      best = call;
      fewest = count;
    }
    return best;
  }

  private rejection(caller: Caller | undefined): InventoryError {
    const { message, retryAfterSeconds, shares } = this.limits;
    const isFull = this.queue.size >= (this.limits.queue?.maxLength ?? 0);
    const owner = this.running.exhausted(caller) ?? (isFull ? undefined : this.waiting.exhausted(caller));
    return new InventoryError('unavailable', shares && owner ? shareMessage(owner, shares) : message, [], {
      'retry-after': String(retryAfterSeconds),
    });
  }
}

function shareMessage(owner: ShareOwner, shares: Shares & { readonly callsName: string }): string {
  const max = owner === 'user' ? shares.maxPerUser : shares.maxPerProject;
  return `The limit of one ${owner} is reached: ${String(max)} ${shares.callsName} at a time. Wait until others of this ${owner} have ended, then retry.`;
}
