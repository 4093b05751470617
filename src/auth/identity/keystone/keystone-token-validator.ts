import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { InventoryError } from '../../../core/errors';
import { AppMetrics } from '../../../core/app-metrics';
import { ConcurrencyLimiter, singleFlight } from '../../../core/concurrency';
import { CircuitBreaker, ProviderUnavailableError, LONG_PAUSE_MS, SHORT_PAUSE_MS } from '../circuit-breaker';
import { KeystoneApi, MAX_CONNECTIONS, ServiceToken } from './keystone-api';
import { KEYSTONE_SETTINGS, type KeystoneSettings } from './keystone-settings';
import type { KeystoneToken } from './keystone-token';

interface CachedToken {
  readonly token: KeystoneToken;
  /** The time of the next validation, in milliseconds since the epoch. */
  readonly freshUntil: number;
}

const MAX_VALID_TOKENS = 10_000;
const MAX_INVALID_TOKENS = 10_000;
/** Repeated requests with an invalid token do not reach Keystone within this time. */
const INVALID_TTL_MS = 5_000;
/** The maximum length of each queue of validations. */
const MAX_QUEUED = 500;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64');

/** Validates Keystone tokens, and caches the results. The cache stores hashes, so memory contains no usable token. */
@Injectable()
export class KeystoneTokenValidator {
  private readonly valid = new LRUCache<string, CachedToken>({ max: MAX_VALID_TOKENS });
  private readonly invalid = new LRUCache<string, true>({ max: MAX_INVALID_TOKENS, ttl: INVALID_TTL_MS });
  private readonly requestOnce = singleFlight((hash: string, text: string) =>
    this.requestValidation(hash, text),
  );
  private readonly circuitBreaker: CircuitBreaker;
  /** Known tokens do not queue behind unknown ones. */
  private readonly limiters: { readonly known: ConcurrencyLimiter; readonly unknown: ConcurrencyLimiter };

  constructor(
    private readonly keystone: KeystoneApi,
    private readonly serviceToken: ServiceToken,
    @Inject(KEYSTONE_SETTINGS) private readonly settings: KeystoneSettings,
    private readonly measurements: AppMetrics,
  ) {
    this.circuitBreaker = new CircuitBreaker({
      name: 'Keystone',
      consequence: 'Cached tokens are accepted until they expire; all other tokens are rejected.',
      gauge: measurements.keystoneUnavailable,
    });
    const limits = {
      maxConcurrent: MAX_CONNECTIONS / 2,
      queue: { maxLength: MAX_QUEUED, timeoutMs: settings.timeoutMs },
      message: 'Too many Keystone tokens are waiting for validation. Retry later.',
      retryAfterSeconds: 5,
    };
    this.limiters = { known: new ConcurrencyLimiter(limits), unknown: new ConcurrencyLimiter(limits) };
  }

  /**
   * Gets a token for the service. So an unavailable Keystone or invalid credentials are logged at startup, not with the
   * first request of a client.
   */
  async checkServiceToken(): Promise<void> {
    try {
      await this.circuitBreaker.execute(() => this.serviceToken.get());
    } catch (error) {
      // The circuit breaker has logged the error.
      if (!(error instanceof ProviderUnavailableError)) throw error;
    }
  }

  /** Whether the cache contains a token, valid or not. */
  isCached(text: string): boolean {
    const hash = hashOf(text);
    return this.findValid(hash) !== undefined || this.invalid.has(hash);
  }

  /**
   * Validates a token. While Keystone is unavailable, cached tokens stay valid until they expire.
   * @returns undefined if the token is not valid
   * @throws InventoryError 503 if it cannot be validated now
   */
  async validateToken(text: string): Promise<KeystoneToken | undefined> {
    const hash = hashOf(text);
    const cached = this.findValid(hash);
    if (cached && Date.now() < cached.freshUntil) return cached.token;
    if (this.invalid.has(hash)) return undefined;
    try {
      return await this.requestOnce(hash, text);
    } catch (error) {
      if (!(error instanceof ProviderUnavailableError)) throw error;
      const stale = this.findValid(hash);
      if (stale) return stale.token;
      throw this.unavailable();
    }
  }

  /** The cached token, unless it has expired. */
  private findValid(hash: string): CachedToken | undefined {
    const cached = this.valid.get(hash);
    return cached && Date.now() < cached.token.expiresAt ? cached : undefined;
  }

  private async requestValidation(hash: string, text: string): Promise<KeystoneToken | undefined> {
    // The time counts from before the request, so that a slow response does not extend it.
    const freshUntil = Date.now() + this.settings.cacheMs;
    const limiter = this.findValid(hash) ? this.limiters.known : this.limiters.unknown;
    const token = await this.circuitBreaker
      .execute(() => limiter.run(() => this.validate(text)))
      .catch((error: unknown) => {
        if (error instanceof ProviderUnavailableError)
          this.measurements.keystoneValidations.inc({ outcome: 'unavailable' });
        throw error;
      });
    const isValid = token !== undefined && Date.now() < token.expiresAt;
    this.measurements.keystoneValidations.inc({ outcome: isValid ? 'valid' : 'not valid' });
    if (isValid) {
      this.valid.set(hash, { token, freshUntil });
      return token;
    }
    this.valid.delete(hash);
    this.invalid.set(hash, true);
    return undefined;
  }

  /** If Keystone rejects the token of the service, the validation is retried once with a new one. */
  private async validate(text: string): Promise<KeystoneToken | undefined> {
    for (let attempts = 2; attempts > 0; attempts--) {
      const ownToken = await this.serviceToken.get();
      const result = await this.validateWith(ownToken, text);
      if (result !== 'rejected') return result;
      this.serviceToken.discard(ownToken);
    }
    // This happens within the second in which Keystone revokes all tokens of a user.
    throw new ProviderUnavailableError(
      'Keystone rejects every token that it issues to this service',
      SHORT_PAUSE_MS,
    );
  }

  /**
   * If the validation fails, Keystone is also asked to validate the token of the service. So a client cannot open the
   * circuit breaker for others by sending a token that makes Keystone fail.
   */
  private async validateWith(
    ownToken: string,
    text: string,
  ): Promise<KeystoneToken | undefined | 'rejected'> {
    try {
      const result = await this.keystone.validate(text, ownToken);
      if (result !== 'forbidden') return result;
    } catch (error) {
      // Any other pause means a wrong configuration, which does not depend on the token.
      if (!(error instanceof ProviderUnavailableError) || error.pauseMs !== SHORT_PAUSE_MS) throw error;
      if (!(await this.serviceToken.isKeystoneAvailable(ownToken))) throw error;
      throw new ProviderUnavailableError(
        `${error.message}, but it validates the token of this service`,
        undefined,
        {
          cause: error,
        },
      );
    }
    if (await this.serviceToken.isKeystoneAvailable(ownToken)) return undefined;
    throw new ProviderUnavailableError(
      'Keystone, or a proxy in front of it, forbids the validation of tokens',
      LONG_PAUSE_MS,
    );
  }

  private unavailable(): InventoryError {
    return new InventoryError(
      'unavailable',
      'The token cannot be validated, because Keystone is unavailable. Retry later.',
      [],
      { 'retry-after': String(this.circuitBreaker.retryAfterSeconds) },
    );
  }
}
