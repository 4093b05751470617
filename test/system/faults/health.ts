import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '../../support/caller';
import { until } from '../../support/until';
import { send, type Sent } from './send';

/**
 * The time (ms) between two checks: shorter than any outage of a test, and long enough to leave the CPU to the
 * writers.
 */
const INTERVAL = 60;

/** Polls the liveness and readiness of a service. */
export class HealthWatch {
  /** The responses of `/healthz` other than 200. */
  readonly livenessFailures: (Sent | undefined)[] = [];
  /** The number of polls in which the service was not ready. */
  unready = 0;
  private isReady = true;
  private readonly polling: Promise<void>;
  private isOver = false;

  constructor(private readonly caller: Caller) {
    this.polling = this.poll();
  }

  /** Waits until the service is ready, or not ready. */
  async untilReady(ready: boolean): Promise<void> {
    const what = ready ? 'the service is ready' : 'the service is not ready';
    await until(what, 90, () => Promise.resolve(this.isReady === ready));
  }

  async end(): Promise<void> {
    this.isOver = true;
    await this.polling;
  }

  private async poll(): Promise<void> {
    while (!this.isOver) {
      const [lives, ready] = await Promise.all(
        ['/healthz', '/readyz'].map((path) => send(this.caller, { method: 'GET', path })),
      );
      if (lives?.status !== 200) this.livenessFailures.push(lives);
      this.isReady = ready?.status === 200;
      if (!this.isReady) this.unready++;
      await pause(INTERVAL);
    }
  }
}
