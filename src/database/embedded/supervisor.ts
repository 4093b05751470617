import { setTimeout as delay } from 'node:timers/promises';
import { Backoff } from '../../core/backoff';
import { startServer, type RunningServer, type ServerPlan } from './server';

/** After running for this time, the next restart is immediate again. */
const HEALTHY_AFTER_MS = 30_000;

const MIN_DELAY_MS = 100;

/** Short, so that the server is back soon after a full disk has space again. */
const MAX_DELAY_MS = 1_000;

/** Restarts a server that ended unexpectedly. */
export class Supervisor {
  private readonly stopRequest = new AbortController();
  private readonly watching: Promise<void>;
  /** The last reported failure. */
  private lastReported = '';

  constructor(
    private readonly plan: ServerPlan,
    private server: RunningServer | undefined,
    private readonly onExit: (sentence: string) => void,
  ) {
    this.watching = this.keepRunning();
  }

  /** Shuts the server down, and aborts a restart in progress. */
  async stop(): Promise<void> {
    this.stopRequest.abort();
    await this.server?.stop();
    await this.watching;
  }

  private isStopping(): boolean {
    return this.stopRequest.signal.aborted;
  }

  private async keepRunning(): Promise<void> {
    const backoff = new Backoff(MIN_DELAY_MS, MAX_DELAY_MS);
    while (this.server) {
      // `stop` can have been called during a restart, when there was no server.
      if (this.isStopping()) await this.server.stop();
      const began = Date.now();
      const ending = await this.server.ended;
      this.server = undefined;
      if (this.isStopping()) return;
      if (Date.now() - began > HEALTHY_AFTER_MS) backoff.reset();
      this.report(`PostgreSQL has ended unexpectedly (${ending}); restarting it.`);
      while (!this.server && !this.isStopping()) {
        await this.pauseFor(backoff.next());
        if (!this.isStopping()) this.server = await this.startAgain();
      }
    }
  }

  private async startAgain(): Promise<RunningServer | undefined> {
    try {
      const server = await startServer({ ...this.plan, signal: this.stopRequest.signal });
      this.lastReported = '';
      if (!this.isStopping()) return server;
      await server.stop();
    } catch (error) {
      if (!this.isStopping()) this.report(error instanceof Error ? error.message : String(error));
    }
    return undefined;
  }

  /** Reports a failure once, also if the next attempts fail for the same reason. */
  private report(sentence: string): void {
    if (sentence !== this.lastReported) this.onExit(sentence);
    this.lastReported = sentence;
  }

  private async pauseFor(milliseconds: number): Promise<void> {
    try {
      await delay(milliseconds, undefined, { signal: this.stopRequest.signal });
    } catch (error) {
      if (!this.isStopping()) throw error;
    }
  }
}
