import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { RejectionMetrics } from '../../http/active-requests';
import type { Identity } from '../../http/request-state';
import { AUTH_LIMITS, type AuthLimits } from './auth-limits';
import { countedAs, RateExceeded } from './rate-limit-error';

/** The window of the rate limit. All requests of a window can arrive in one burst. */
const KEY_WINDOW_SECONDS = 10;

/** Limits the request rate of each key. Only authenticated requests count. */
@Injectable()
export class KeyRates {
  private readonly limiter: RateLimiterMemory | undefined;
  private readonly policy: string;

  constructor(
    @Inject(AUTH_LIMITS) { rate }: AuthLimits,
    private readonly rejections: RejectionMetrics,
  ) {
    const points = rate * KEY_WINDOW_SECONDS;
    if (rate > 0) this.limiter = new RateLimiterMemory({ points, duration: KEY_WINDOW_SECONDS });
    this.policy = `"key";q=${String(points)};w=${String(KEY_WINDOW_SECONDS)}`;
  }

  /**
   * Counts a request, and sets the `RateLimit` headers of its response.
   * @throws RateLimitExceededError 429
   */
  async spend(identity: Identity, response: Response): Promise<void> {
    if (!this.limiter) return;
    try {
      this.tell(await this.limiter.consume(countedAs(identity)), response);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      this.rejections.count('rate');
      throw new RateExceeded(identity, this.tell(error, response));
    }
  }

  /** @returns the seconds until the limit resets */
  private tell({ remainingPoints, msBeforeNext }: RateLimiterRes, response: Response): number {
    const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
    response.setHeader('ratelimit-policy', this.policy);
    response.setHeader('ratelimit', `"key";r=${String(remainingPoints)};t=${String(seconds)}`);
    return seconds;
  }
}
