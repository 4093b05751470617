import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { RejectionMetrics } from '../../http/active-requests';
import type { Identity } from '../../http/request-state';
import { AUTH_LIMITS, type AuthLimits } from './auth-limits';
import { countedAs, RateExceeded } from './rate-limit-error';

/** In seconds: what may be asked in as many may be asked in one moment of them. */
const WINDOW = 10;

/** Keeps each key to its rate. It is spent by those alone who have proven to hold the key. */
@Injectable()
export class KeyRates {
  private readonly limiter: RateLimiterMemory | undefined;
  private readonly policy: string;

  constructor(
    @Inject(AUTH_LIMITS) { rate }: AuthLimits,
    private readonly rejections: RejectionMetrics,
  ) {
    const points = rate * WINDOW;
    if (rate > 0) this.limiter = new RateLimiterMemory({ points, duration: WINDOW });
    this.policy = `"key";q=${String(points)};w=${String(WINDOW)}`;
  }

  /**
   * Counts a request, and has its answer tell what is left.
   * @throws RateExceeded 429
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

  /** @returns in how many seconds there is all of it again */
  private tell({ remainingPoints, msBeforeNext }: RateLimiterRes, response: Response): number {
    const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
    response.setHeader('ratelimit-policy', this.policy);
    response.setHeader('ratelimit', `"key";r=${String(remainingPoints)};t=${String(seconds)}`);
    return seconds;
  }
}
