import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { ProjectScope } from '../../core/context/request-context';
import { SETTINGS, type Settings } from '../../core/context/app-settings';
import { InventoryError } from '../../core/errors/inventory-error';
import { Database } from '../../database/database';
import { sql } from '../../database/sql';
import type { Window } from './feed-cursor';
import { furthestWindow, reachesBeyond, readOn } from './feed-window';

/** While anybody waits, so often is looked whether there is something. */
const LOOK_EVERY_MS = 200;

/** Somebody who waits for what comes. */
export class Waiter {
  private isTold = false;
  private isEnding = false;
  private failure: Error | undefined;
  private wake: () => void = () => undefined;

  /** @param gone the client is not there any more */
  constructor(private readonly gone: AbortSignal) {
    gone.addEventListener('abort', this.leave);
  }

  /** Whether there is nothing to wait for: the client has gone, or the service ends. */
  get isOver(): boolean {
    return this.isEnding || this.gone.aborted;
  }

  /**
   * Waits for news, but not for longer than this, nor for what is over.
   * @returns whether there was something since this was called last, or since the waiting began
   * @throws what kept the watch from looking
   */
  async news(milliseconds: number): Promise<boolean> {
    if (!this.isTold && !this.isOver && !this.failure) await this.rest(milliseconds);
    if (this.failure) throw this.failure;
    const { isTold } = this;
    this.isTold = false;
    return isTold;
  }

  tell(): void {
    this.isTold = true;
    this.wake();
  }

  fail(error: unknown): void {
    this.failure = error instanceof Error ? error : new Error(String(error));
    this.wake();
  }

  end(): void {
    this.isEnding = true;
    this.wake();
  }

  release(): void {
    this.gone.removeEventListener('abort', this.leave);
  }

  private readonly leave = (): void => {
    this.wake();
  };

  private rest(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** What is looked at for all who wait for the changes of the same projects. */
interface Watched {
  readonly waiters: Set<Waiter>;
  /** The window that news are told from: it was there before any of the waiters looks for itself. */
  readonly first: Promise<Window>;
}

/**
 * Looks at the feed for everybody in this process who waits for it: once for all who follow the same projects, however
 * many they are. Between two looks it holds no connection, and without anybody who waits it does nothing.
 */
@Injectable()
export class FeedWatch implements OnModuleDestroy {
  private readonly watched = new Map<string, Watched>();
  private readonly looking = new Set<Promise<void>>();
  private waiting = 0;
  private isEnding = false;

  constructor(
    private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Whoever waits gets an answer, for the service is about to end; and the last look does. */
  async onModuleDestroy(): Promise<void> {
    this.isEnding = true;
    for (const { waiters } of this.watched.values()) for (const waiter of waiters) waiter.end();
    await Promise.all(this.looking);
  }

  /**
   * Does what is to be done while news of these projects are waited for. The waiter is told of whatever comes after
   * `work` was called; what was there before, `work` has to look for.
   * @param gone ends the waiting of a client that is not there any more
   * @throws InventoryError 503 if too many wait already
   */
  async during<T>(scope: ProjectScope, gone: AbortSignal, work: (waiter: Waiter) => Promise<T>): Promise<T> {
    if (this.waiting >= this.settings.mostWaiting)
      throw new InventoryError('unavailable', 'Too many wait for changes already.', [], {
        'retry-after': '5',
      });
    const waiter = new Waiter(gone);
    if (this.isEnding) waiter.end();
    const watched = this.watchedOf(scope);
    watched.waiters.add(waiter);
    this.waiting++;
    try {
      await watched.first;
      return await work(waiter);
    } finally {
      this.waiting--;
      watched.waiters.delete(waiter);
      waiter.release();
    }
  }

  private watchedOf(scope: ProjectScope): Watched {
    const of = scope === 'every project' ? scope : scope.project;
    const known = this.watched.get(of);
    if (known) return known;
    const first = furthestWindow(scope, this.database).then(({ window }) => window);
    const watched = { waiters: new Set<Waiter>(), first };
    this.watched.set(of, watched);
    const looking = this.lookWhileWaited(of, scope, watched).finally(() => this.looking.delete(looking));
    this.looking.add(looking);
    return watched;
  }

  private async lookWhileWaited(of: string, scope: ProjectScope, { waiters, first }: Watched): Promise<void> {
    try {
      for (let seen = await first; ; seen = await this.lookBeyond(seen, scope, waiters)) {
        await delay(LOOK_EVERY_MS);
        if (waiters.size === 0 || this.isEnding) break;
      }
    } catch (error) {
      // It is their answers that tell of it.
      for (const waiter of waiters) waiter.fail(error);
    }
    // Whoever comes next begins anew.
    this.watched.delete(of);
  }

  /** Tells who waits if there is by now what a window has not. @returns the window from which to look next */
  private async lookBeyond(seen: Window, scope: ProjectScope, waiters: Iterable<Waiter>): Promise<Window> {
    const { window, restorations } = await furthestWindow(scope, this.database);
    // Where it is the smaller one, what would be missing of the former is being waited for, as readers do.
    if (!reachesBeyond(window, seen, restorations)) return seen;
    const cursor = { delivered: seen, reading: window, last: 0 };
    const found = await readOn(scope, cursor, restorations, {
      limit: 1,
      body: sql`''`,
      on: this.database,
    });
    if (found.length > 0) for (const waiter of waiters) waiter.tell();
    return window;
  }
}
