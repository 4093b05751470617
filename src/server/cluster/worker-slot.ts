import { setTimeout as delay } from 'node:timers/promises';
import { Backoff } from '../../core/backoff';
import type { WorkerProcess } from './worker-process';

/** In milliseconds. A worker that served for so long was healthy: its death is no sign that the next one dies, too. */
const HEALTHY_AFTER = 30_000;
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 5_000;

/** What a post asks of those whose it is. */
export interface Employer {
  /** Starts a worker. */
  readonly hire: () => WorkerProcess;
  /** Aborted when all are to stop. */
  readonly stopRequest: AbortSignal;
  readonly note: (sentence: string) => void;
  /** Told of each worker that has ended before it served, and how many have, one after the other. */
  readonly failed: (error: unknown, inARow: number) => void;
}

/** A place at which one worker serves, and after it the next. */
export class Post {
  private readonly backoff = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
  private turn: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly employer: Employer,
    private worker: WorkerProcess,
  ) {
    void this.keepFilled();
  }

  /** Begins with a worker that serves. */
  static with(worker: WorkerProcess, employer: Employer): Post {
    return new Post(employer, worker);
  }

  /**
   * Puts another worker in the present one's place.
   * @returns when the new one serves and the old one has ended
   * @throws what kept the new one from serving; the old one then stays
   */
  renew(seconds: number): Promise<void> {
    return this.inTurn(async () => {
      const next = this.employer.hire();
      await next.serving;
      const former = this.worker;
      this.worker = next;
      await former.handOver(seconds);
    });
  }

  private async keepFilled(): Promise<void> {
    for (;;) {
      const { worker } = this;
      const began = Date.now();
      const ending = await worker.ended;
      if (this.isOver()) return;
      // It was relieved.
      if (this.worker !== worker) continue;
      if (Date.now() - began > HEALTHY_AFTER) this.backoff.reset();
      this.employer.note(
        `a worker (process ${String(worker.pid)}) has ended unexpectedly (${ending}); another is being started.`,
      );
      await this.inTurn(() => this.fillAgain(worker));
    }
  }

  private async fillAgain(dead: WorkerProcess): Promise<void> {
    for (let failures = 0; this.worker === dead && !this.isOver();) {
      await this.rest();
      if (this.isOver()) return;
      const next = this.employer.hire();
      try {
        await next.serving;
        this.worker = next;
        this.employer.note(`a worker (process ${String(next.pid)}) serves in its place.`);
      } catch (error) {
        if (!this.isOver()) this.employer.failed(error, ++failures);
      }
    }
  }

  private isOver(): boolean {
    return this.employer.stopRequest.aborted;
  }

  /** One after the other: what renews a post and what fills it again must not both put a worker there. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.turn.then(work);
    this.turn = done.catch(() => undefined);
    return done;
  }

  private async rest(): Promise<void> {
    try {
      await delay(this.backoff.next(), undefined, { signal: this.employer.stopRequest });
    } catch (error) {
      if (!this.isOver()) throw error;
    }
  }
}
