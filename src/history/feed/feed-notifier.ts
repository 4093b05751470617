import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { ProjectScope } from '../../core/context/request-context';
import { Environment } from '../../config/environment';
import { InventoryError } from '../../core/errors';
import { Database } from '../../database/database';
import { sql } from '../../database/sql';
import { type FeedWindow, readWindow, canReplace, readRecords } from './feed-window';

/** The interval at which the database is polled while clients wait. */
const POLL_INTERVAL_MS = 200;

/** A request that waits for changes. */
export class FeedWaiter {
  private isNotified = false;
  private isShuttingDown = false;
  private failure: Error | undefined;
  private wake: () => void = () => undefined;

  /** @param disconnected aborts when the client disconnects */
  constructor(private readonly disconnected: AbortSignal) {
    disconnected.addEventListener('abort', this.onDisconnect);
  }

  /** Whether waiting is pointless, because the client disconnected or the service is shutting down. */
  get isOver(): boolean {
    return this.isShuttingDown || this.disconnected.aborted;
  }

  /**
   * Waits for a notification, at most until the timeout.
   * @returns whether there was a notification since the last call, or since the waiter was created
   * @throws Error if polling the database failed
   */
  async waitForChanges(timeoutMs: number): Promise<boolean> {
    if (!this.isNotified && !this.isOver && !this.failure) await this.sleep(timeoutMs);
    if (this.failure) throw this.failure;
    const { isNotified } = this;
    this.isNotified = false;
    return isNotified;
  }

  notify(): void {
    this.isNotified = true;
    this.wake();
  }

  fail(error: unknown): void {
    this.failure = error instanceof Error ? error : new Error(String(error));
    this.wake();
  }

  shutDown(): void {
    this.isShuttingDown = true;
    this.wake();
  }

  dispose(): void {
    this.disconnected.removeEventListener('abort', this.onDisconnect);
  }

  private readonly onDisconnect = (): void => {
    this.wake();
  };

  private sleep(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** One polling loop, shared by all waiters for the same projects. */
interface Subscription {
  readonly waiters: Set<FeedWaiter>;
  /** Records after this window cause notifications. It is read before any of the waiters reads the feed. */
  readonly initialWindow: Promise<FeedWindow>;
}

/**
 * Polls the feed and notifies the waiting requests of this process. All waiters for the same projects share one polling
 * loop. It holds no connection between two polls, and it stops when there are no waiters.
 */
@Injectable()
export class FeedNotifier implements OnModuleDestroy {
  private readonly subscriptions = new Map<string, Subscription>();
  private readonly pollers = new Set<Promise<void>>();
  private waiting = 0;
  private isShuttingDown = false;

  constructor(
    private readonly database: Database,
    private readonly environment: Environment,
  ) {}

  /** Ends the waiting requests, so that they are answered, and waits for the polls that are running. */
  async onModuleDestroy(): Promise<void> {
    this.isShuttingDown = true;
    for (const { waiters } of this.subscriptions.values()) for (const waiter of waiters) waiter.shutDown();
    await Promise.all(this.pollers);
  }

  /**
   * Runs work with a waiter for changes of these projects. The waiter is notified of changes that become visible after
   * `work` was called. `work` must read the earlier changes itself.
   * @param disconnected ends the waiting when the client disconnects
   * @throws InventoryError 503 if too many clients are waiting
   */
  async withWaiter<T>(
    scope: ProjectScope,
    disconnected: AbortSignal,
    work: (waiter: FeedWaiter) => Promise<T>,
  ): Promise<T> {
    if (this.waiting >= this.environment.FEED_WAITERS)
      throw new InventoryError('unavailable', 'Too many clients are waiting for changes. Retry later.', [], {
        'retry-after': '5',
      });
    const waiter = new FeedWaiter(disconnected);
    if (this.isShuttingDown) waiter.shutDown();
    const subscription = this.subscriptionTo(scope);
    subscription.waiters.add(waiter);
    this.waiting++;
    try {
      await subscription.initialWindow;
      return await work(waiter);
    } finally {
      this.waiting--;
      subscription.waiters.delete(waiter);
      waiter.dispose();
    }
  }

  private subscriptionTo(scope: ProjectScope): Subscription {
    const feed = scope === 'every project' ? scope : scope.project;
    const existing = this.subscriptions.get(feed);
    if (existing) return existing;
    const initialWindow = readWindow(scope, this.database).then(({ window }) => window);
    const subscription = { waiters: new Set<FeedWaiter>(), initialWindow };
    this.subscriptions.set(feed, subscription);
    const poller = this.poll(feed, scope, subscription).finally(() => this.pollers.delete(poller));
    this.pollers.add(poller);
    return subscription;
  }

  private async poll(
    feed: string,
    scope: ProjectScope,
    { waiters, initialWindow }: Subscription,
  ): Promise<void> {
    try {
      for (let seen = await initialWindow; ; seen = await this.pollOnce(seen, scope, waiters)) {
        await delay(POLL_INTERVAL_MS);
        if (waiters.size === 0 || this.isShuttingDown) break;
      }
    } catch (error) {
      // The waiting requests report the error.
      for (const waiter of waiters) waiter.fail(error);
    }
    // The next waiter starts a new polling loop.
    this.subscriptions.delete(feed);
  }

  /** Notifies the waiters if there are records after a window. @returns the window for the next poll */
  private async pollOnce(
    seen: FeedWindow,
    scope: ProjectScope,
    waiters: Iterable<FeedWaiter>,
  ): Promise<FeedWindow> {
    const { window, restorations } = await readWindow(scope, this.database);
    // A smaller window would miss records of the previous one. Keep that, as readers do.
    if (!canReplace(window, seen, restorations)) return seen;
    const cursor = { delivered: seen, reading: window, last: 0 };
    const records = await readRecords(scope, cursor, restorations, {
      limit: 1,
      body: sql`''`,
      database: this.database,
    });
    if (records.length > 0) for (const waiter of waiters) waiter.notify();
    return window;
  }
}
