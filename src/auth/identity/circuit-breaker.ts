import { Logger } from '@nestjs/common';

/** An identity provider could not answer. */
export class ProviderUnavailableError extends Error {
  override readonly name = 'ProviderUnavailableError';

  /**
   * @param message the cause, for the log
   * @param pauseMs the milliseconds until the next request; undefined if the circuit breaker stays closed, because only
   *   this request can be the cause, and a client must not be able to block the requests of others
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

/** Statuses of an overloaded or unavailable provider, or of a proxy in front of it. */
const UNAVAILABLE_STATUSES = new Set([429, 502, 503, 504]);

/** The pause after a response with an error status: none, if only the request can be the cause. */
export const pauseAfter = (status: number): number | undefined =>
  UNAVAILABLE_STATUSES.has(status) ? SHORT_PAUSE_MS : undefined;

/** The code or name of an error. Its message is not logged, because it can contain parts of the request. */
export function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'unknown';
  if ('code' in error && typeof error.code === 'string') return error.code;
  if ('cause' in error && error.cause instanceof Error) return errorCode(error.cause);
  return 'name' in error && typeof error.name === 'string' ? error.name : 'unknown';
}

/** Finds the reason of an error that a library has wrapped. */
export function unavailableCause(error: unknown): ProviderUnavailableError | undefined {
  if (error instanceof ProviderUnavailableError) return error;
  return error instanceof Error ? unavailableCause(error.cause) : undefined;
}

/** The provider behind a circuit breaker. */
interface Provider {
  /** The name in the log. */
  readonly name: string;
  /** What is accepted and rejected meanwhile, as a sentence for the log. */
  readonly consequence: string;
  /** 1 while it is unavailable. */
  readonly gauge: { set(value: number): void };
}

/**
 * A circuit breaker for an identity provider. While it is unavailable, requests fail at once instead of waiting for a
 * timeout. After a pause, one request probes it. The log has a line when the breaker opens, when the cause changes, and
 * when it closes.
 */
export class CircuitBreaker {
  private readonly log: Logger;
  private cause: ProviderUnavailableError | undefined;
  /** The end of the pause, in milliseconds since the epoch. */
  private pausedUntil = 0;
  private isProbing = false;

  constructor(private readonly provider: Provider) {
    this.log = new Logger(provider.name);
  }

  /**
   * Runs a request, unless the provider is known to be unavailable.
   * @throws ProviderUnavailableError
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
      if (error instanceof ProviderUnavailableError) this.recordFailure(error);
      throw error;
    } finally {
      if (cause) this.isProbing = false;
    }
  }

  /** The seconds until the next probe. */
  get retryAfterSeconds(): number {
    return Math.ceil(Math.max(this.pausedUntil - Date.now(), SHORT_PAUSE_MS) / 1000);
  }

  private recordFailure(cause: ProviderUnavailableError): void {
    if (cause.pauseMs === undefined) {
      this.log.warn(`${cause.message}.`);
      return;
    }
    if (this.cause?.message !== cause.message)
      this.log.error(`${cause.message}. ${this.provider.consequence}`);
    this.cause = cause;
    this.provider.gauge.set(1);
    this.pausedUntil = Date.now() + cause.pauseMs;
  }

  private close(): void {
    if (!this.cause) return;
    this.cause = undefined;
    this.provider.gauge.set(0);
    this.log.warn(`${this.provider.name} is available again.`);
  }
}
