import { setTimeout as delay } from 'node:timers/promises';
import { Backoff } from '../../core/backoff';
import { startServer, type RunningServer, type ServerPlan } from './server';

/** A server that ran for this long was healthy: its death is no sign that the next start will fail too. */
const HEALTHY_AFTER = 30_000;
const FIRST_PAUSE = 100;
/** Where there is no room on the disk it is tried again and again: it is to be back soon after there is. */
const MAX_PAUSE_MS = 1_000;

/** Starts a server again that died without being asked to. */
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

  /** Shuts the server down and ends the watch; a restart that is under way is given up. */
  async stop(): Promise<void> {
    this.stopRequest.abort();
    await this.server?.stop();
    await this.watching;
  }

  private isStopping(): boolean {
    return this.stopRequest.signal.aborted;
  }

  private async keepRunning(): Promise<void> {
    const backoff = new Backoff(FIRST_PAUSE, MAX_PAUSE_MS);
    while (this.server) {
      // A stop that came in the very moment of a restart found no server to shut down.
      if (this.isStopping()) await this.server.stop();
      const began = Date.now();
      const ending = await this.server.ended;
      this.server = undefined;
      if (this.isStopping()) return;
      if (Date.now() - began > HEALTHY_AFTER) backoff.reset();
      this.report(`PostgreSQL has ended unexpectedly (${ending}); it is being started again.`);
      while (!this.server && !this.isStopping()) {
        await this.pauseFor(backoff.next());
        if (!this.isStopping()) this.server = await this.startAgain();
      }
    }
  }

  private async startAgain(): Promise<RunningServer | undefined> {
    try {
      const server = await startServer({ ...this.plan, abandoned: this.stopRequest.signal });
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
