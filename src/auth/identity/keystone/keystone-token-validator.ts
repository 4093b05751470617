import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { InventoryError } from '../../../core/errors/inventory-error';
import { AppMetrics } from '../../../core/app-metrics';
import { ConcurrencyLimiter } from '../../../core/concurrency-limiter';
import { singleFlight } from '../../../core/single-flight';
import { BRIEFLY_MS, FOR_A_WHILE_MS, KeystoneAway } from './keystone-unavailable';
import { KeystoneApi } from './keystone-api';
import { MOST_QUESTIONS } from './keystone-http-pool';
import { KEYSTONE, type KeystoneSettings } from './keystone-settings';
import type { KeystoneToken } from './keystone-token';
import { Outage } from './circuit-breaker';
import { ServiceToken } from './service-token';

interface Valid {
  readonly token: KeystoneToken;
  /** Until when it need not be asked about again. Milliseconds since the epoch. */
  readonly freshUntil: number;
}

const MOST_VALID = 10_000;
const MOST_INVALID = 10_000;
/** Of what was not valid just now, so that a client that tries again and again does not ask Keystone each time. */
const KEEP_INVALID_MS = 5_000;
/** Beyond those about which Keystone is asked at a time, of each sort. */
const MOST_WAITING = 500;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64');

/** The tokens that clients come with, each known by its hash: what stands in memory opens nothing. */
@Injectable()
export class KeystoneTokens {
  private readonly valid = new LRUCache<string, Valid>({ max: MOST_VALID });
  private readonly invalid = new LRUCache<string, true>({ max: MOST_INVALID, ttl: KEEP_INVALID_MS });
  private readonly ask = singleFlight((hash: string, text: string) => this.question(hash, text));
  private readonly outage: Outage;
  /** Known tokens do not queue behind unknown ones. */
  private readonly limiters: { readonly known: ConcurrencyLimiter; readonly unknown: ConcurrencyLimiter };

  constructor(
    private readonly keystone: KeystoneApi,
    private readonly serviceToken: ServiceToken,
    @Inject(KEYSTONE) private readonly settings: KeystoneSettings,
    private readonly measurements: AppMetrics,
  ) {
    this.outage = new Outage(measurements);
    const limits = {
      maxConcurrent: MOST_QUESTIONS / 2,
      queue: { maxLength: MOST_WAITING, timeoutMs: settings.patienceMs },
      message: 'Keystone is asked about too many tokens at the moment. Try again.',
      retryAfterSeconds: 5,
    };
    this.limiters = { known: new ConcurrencyLimiter(limits), unknown: new ConcurrencyLimiter(limits) };
  }

  /**
   * Gets a token for the service itself, so that the log says at once, and not with the first client's token, that
   * Keystone is away or does not take the service's password.
   */
  async tryOut(): Promise<void> {
    try {
      await this.outage.ask(() => this.serviceToken.get());
    } catch (error) {
      // The log has it.
      if (!(error instanceof KeystoneAway)) throw error;
    }
  }

  /** Whether a token was seen before, be it that it was not valid: else whoever sends it is a stranger. */
  knows(text: string): boolean {
    const hash = hashOf(text);
    return this.known(hash) !== undefined || this.invalid.has(hash);
  }

  /**
   * What a token is. While Keystone is away, one that was seen to be valid stays so until its end.
   * @returns undefined if it is not valid
   * @throws InventoryError 503 if that cannot be known now
   */
  async of(text: string): Promise<KeystoneToken | undefined> {
    const hash = hashOf(text);
    const known = this.known(hash);
    if (known && Date.now() < known.freshUntil) return known.token;
    if (this.invalid.has(hash)) return undefined;
    try {
      return await this.ask(hash, text);
    } catch (error) {
      if (!(error instanceof KeystoneAway)) throw error;
      const last = this.known(hash);
      if (last) return last.token;
      throw this.unavailable();
    }
  }

  /** As Keystone last said, unless it is over. */
  private known(hash: string): Valid | undefined {
    const known = this.valid.get(hash);
    return known && Date.now() < known.token.expiresAt ? known : undefined;
  }

  private async question(hash: string, text: string): Promise<KeystoneToken | undefined> {
    // The time counts from before the question, so that a slow answer does not stretch it.
    const freshUntil = Date.now() + this.settings.cacheMs;
    const limiter = this.known(hash) ? this.limiters.known : this.limiters.unknown;
    const token = await this.outage
      .ask(() => limiter.run(() => this.validate(text)))
      .catch((error: unknown) => {
        if (error instanceof KeystoneAway) this.measurements.keystoneQuestions.inc({ outcome: 'away' });
        throw error;
      });
    const isValid = token !== undefined && Date.now() < token.expiresAt;
    this.measurements.keystoneQuestions.inc({ outcome: isValid ? 'valid' : 'not valid' });
    if (isValid) {
      this.valid.set(hash, { token, freshUntil });
      return token;
    }
    this.valid.delete(hash);
    this.invalid.set(hash, true);
    return undefined;
  }

  /** A refusal of the service's own token is no word about the client's: then it asks once more, with a new one. */
  private async validate(text: string): Promise<KeystoneToken | undefined> {
    for (let tries = 2; tries > 0; tries--) {
      const own = await this.serviceToken.get();
      const said = await this.said(text, own);
      if (said !== 'refused') return said;
      this.serviceToken.refused(own);
    }
    // As it does in the second in which it has ended all tokens of a user.
    throw new KeystoneAway('Keystone refuses each token that it gives this service', BRIEFLY_MS);
  }

  /**
   * What Keystone says of a token. Where it fails, it is asked about the service's own token, too: nobody must be able to
   * shut out others by what he sends.
   */
  private async said(text: string, own: string): Promise<KeystoneToken | undefined | 'refused'> {
    try {
      const said = await this.keystone.validate(text, own);
      if (said !== 'forbidden') return said;
    } catch (error) {
      // What somebody has to mend is no matter of one token.
      if (!(error instanceof KeystoneAway) || error.pauseMs !== BRIEFLY_MS) throw error;
      if (!(await this.serviceToken.isAnswered(own))) throw error;
      throw new KeystoneAway(`${error.message}, but tells about the one of the service`, undefined, {
        cause: error,
      });
    }
    if (await this.serviceToken.isAnswered(own)) return undefined;
    throw new KeystoneAway('Keystone, or what stands before it, forbids to ask about tokens', FOR_A_WHILE_MS);
  }

  private unavailable(): InventoryError {
    return new InventoryError(
      'unavailable',
      'Keystone, which vouches for this token, cannot be asked at the moment. Try again.',
      [],
      { 'retry-after': String(this.outage.retryAfter) },
    );
  }
}
