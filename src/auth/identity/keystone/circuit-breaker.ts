import { Logger } from '@nestjs/common';
import type { AppMetrics } from '../../../core/app-metrics';
import { BRIEFLY_MS, KeystoneAway } from './keystone-unavailable';

/**
 * Whether Keystone is away: then not every request has to wait to find that out. After a pause one question is let
 * through; by its answer all others go. The log is told when it begins, changes its cause, and ends.
 */
export class Outage {
  private readonly log = new Logger('Keystone');
  private cause: KeystoneAway | undefined;
  /** Milliseconds since the epoch. */
  private until = 0;
  private isProbing = false;

  constructor(private readonly measurements: AppMetrics) {}

  /**
   * Asks, unless it is known to be in vain.
   * @throws KeystoneAway
   */
  async ask<T>(question: () => Promise<T>): Promise<T> {
    const { cause } = this;
    if (cause) {
      if (this.isProbing || Date.now() < this.until) throw cause;
      this.isProbing = true;
    }
    try {
      const answer = await question();
      this.end();
      return answer;
    } catch (error) {
      if (error instanceof KeystoneAway) this.note(error);
      throw error;
    } finally {
      if (cause) this.isProbing = false;
    }
  }

  /** When it is worth asking again, in seconds from now. */
  get retryAfter(): number {
    return Math.ceil(Math.max(this.until - Date.now(), BRIEFLY_MS) / 1000);
  }

  private note(cause: KeystoneAway): void {
    if (cause.pauseMs === undefined) {
      this.log.warn(`${cause.message}.`);
      return;
    }
    if (this.cause?.message !== cause.message)
      this.log.error(
        `${cause.message}. Tokens that were seen before are taken until their end, others are not.`,
      );
    this.cause = cause;
    this.measurements.keystoneAway.set(1);
    this.until = Date.now() + cause.pauseMs;
  }

  private end(): void {
    if (!this.cause) return;
    this.cause = undefined;
    this.measurements.keystoneAway.set(0);
    this.log.warn('Keystone answers again.');
  }
}
