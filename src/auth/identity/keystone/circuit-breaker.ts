import { Logger } from '@nestjs/common';
import type { AppMetrics } from '../../../core/app-metrics';

/** Keystone could not validate a token. */
export class KeystoneUnavailableError extends Error {
  override readonly name = 'KeystoneUnavailableError';

  /**
   * @param message the cause, for the log
   * @param pauseMs the milliseconds until the next request; undefined if the circuit breaker stays closed, because only
   *   this token can be the cause, and a client must not be able to block the requests of others
   */
  constructor(
    message: string,
    readonly pauseMs: number | undefined,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The pause after a temporary failure. */
export const SHORT_PAUSE_MS = 1_000;

/** The pause after a failure that an operator must fix. Frequent attempts with a wrong password would lock the user. */
export const LONG_PAUSE_MS = 10_000;

/**
 * A circuit breaker for Keystone. While Keystone is unavailable, requests fail at once instead of waiting for a
 * timeout. After a pause, one request probes it. The log has a line when the breaker opens, when the cause changes, and
 * when it closes.
 */
export class CircuitBreaker {
  private readonly log = new Logger('Keystone');
  private cause: KeystoneUnavailableError | undefined;
  /** The end of the pause, in milliseconds since the epoch. */
  private pausedUntil = 0;
  private isProbing = false;

  constructor(private readonly measurements: AppMetrics) {}

  /**
   * Runs a request, unless Keystone is known to be unavailable.
   * @throws KeystoneUnavailableError
   */
  async execute<T>(request: () => Promise<T>): Promise<T> {
    const { cause } = this;
    if (cause) {
      if (this.isProbing || Date.now() < this.pausedUntil) throw cause;
      this.isProbing = true;
    }
    try {
      const result = await request();
      this.close();
      return result;
    } catch (error) {
      if (error instanceof KeystoneUnavailableError) this.recordFailure(error);
      throw error;
    } finally {
      if (cause) this.isProbing = false;
    }
  }

  /** The seconds until the next probe. */
  get retryAfterSeconds(): number {
    return Math.ceil(Math.max(this.pausedUntil - Date.now(), SHORT_PAUSE_MS) / 1000);
  }

  private recordFailure(cause: KeystoneUnavailableError): void {
    if (cause.pauseMs === undefined) {
      this.log.warn(`${cause.message}.`);
      return;
    }
    if (this.cause?.message !== cause.message)
      this.log.error(
        `${cause.message}. Cached tokens are accepted until they expire; all other tokens are rejected.`,
      );
    this.cause = cause;
    this.measurements.keystoneUnavailable.set(1);
    this.pausedUntil = Date.now() + cause.pauseMs;
  }

  private close(): void {
    if (!this.cause) return;
    this.cause = undefined;
    this.measurements.keystoneUnavailable.set(0);
    this.log.warn('Keystone is available again.');
  }
}
