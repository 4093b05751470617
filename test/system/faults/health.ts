import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '../../support/caller';
import { until } from '../../support/until';
import { send, type Sent } from './send';

/** The time (ms) between two checks: shorter than any outage of a test, and long enough to leave the CPU to the writers. */
const INTERVAL = 30;

/** Somebody who asks again and again whether the service lives and is ready. */
export class HealthWatch {
  /** The answers of `/healthz`, but for those that it lives. */
  readonly deaths: (Sent | undefined)[] = [];
  /** How often it was not ready. */
  unready = 0;
  private isReady = true;
  private readonly asking: Promise<void>;
  private isOver = false;

  constructor(private readonly caller: Caller) {
    this.asking = this.ask();
  }

  /** Waits until it is so. */
  async says(ready: boolean): Promise<void> {
    await until(ready ? 'it is ready' : 'it is not ready', 90, () => Promise.resolve(this.isReady === ready));
  }

  async end(): Promise<void> {
    this.isOver = true;
    await this.asking;
  }

  private async ask(): Promise<void> {
    while (!this.isOver) {
      const [lives, ready] = await Promise.all(
        ['/healthz', '/readyz'].map((path) => send(this.caller, { method: 'GET', path })),
      );
      if (lives?.status !== 200) this.deaths.push(lives);
      this.isReady = ready?.status === 200;
      if (!this.isReady) this.unready++;
      await pause(INTERVAL);
    }
  }
}
