import { createHmac, randomBytes } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { InventoryError } from '../core/errors';
import type { Identity } from '../http/request-state';
import { RejectionMetrics } from '../http/rejection-metrics';
import { headerText } from '../http/request';
import { hasSessionCookie } from './sessions/session-cookie';

/** The rate limits of authentication. */
export interface AuthLimits {
  /** Requests per second and key; 0 disables the limit. */
  readonly rate: number;
  /** Failed authentications per minute, by address and user. */
  readonly wrongCredentials: number;
}

/** The injection token of `AuthLimits`. */
export const AUTH_LIMITS = Symbol('auth limits');

/**
 * The key of the rate limit: the API key, also that of a session, or else the user, because tokens are short-lived. In a session
 * after a sign-in at a provider, the requests choose the project, so the user is the one of the provider.
 */
export const rateLimitKey = ({ key, session, principal: { homeProjectId, userId } }: Identity): string =>
  key?.id ?? session?.oidc?.subject ?? `${homeProjectId} ${String(userId)}`;

/** An authenticated caller exceeded the rate limit. */
export class RateLimitExceededError extends InventoryError {
  /** @param seconds until the limit resets */
  constructor(
    readonly identity: Identity,
    seconds: number,
  ) {
    super('too_many_requests', 'Too many requests with this key. Try again later.', [], {
      'retry-after': String(seconds),
    });
  }
}

/** The window of the rate limit. All requests of a window can arrive in one burst. */
const KEY_WINDOW_SECONDS = 10;

/** Limits the request rate of each key. Only authenticated requests count. */
@Injectable()
export class KeyRateLimiter {
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
  async consume(identity: Identity, response: Response): Promise<void> {
    if (!this.limiter) return;
    try {
      this.setHeaders(await this.limiter.consume(rateLimitKey(identity)), response);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      this.rejections.count('rate');
      throw new RateLimitExceededError(identity, this.setHeaders(error, response));
    }
  }

  /** @returns the seconds until the limit resets */
  private setHeaders({ remainingPoints, msBeforeNext }: RateLimiterRes, response: Response): number {
    const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
    response.setHeader('ratelimit-policy', this.policy);
    response.setHeader('ratelimit', `"key";r=${String(remainingPoints)};t=${String(seconds)}`);
    return seconds;
  }
}

const WINDOW_SECONDS = 60;
/** The limit per address is this multiple of the limit per address and user. */
const ADDRESS_FACTOR = 10;
/** The maximum of concurrent validations for an address that exceeded a limit. */
const MAX_CONCURRENT_VALIDATIONS = 2;
const RETRY_AFTER_SECONDS = 1;

/**
 * Limits wrong credentials per address and user, and per address. Only wrong credentials count. Valid credentials are
 * always accepted, so an attacker cannot lock out other users of the same address or with the same name.
 */
@Injectable()
export class WrongCredentialsLimiter {
  private readonly byUser: RateLimiterMemory;
  private readonly byAddress: RateLimiterMemory;
  private readonly secret = randomBytes(16);
  /** The number of running validations by address, for addresses that exceeded a limit. */
  private readonly running = new Map<number, number>();

  constructor(
    @Inject(AUTH_LIMITS) { wrongCredentials }: AuthLimits,
    private readonly rejections: RejectionMetrics,
  ) {
    this.byUser = new RateLimiterMemory({ points: wrongCredentials, duration: WINDOW_SECONDS });
    this.byAddress = new RateLimiterMemory({
      points: wrongCredentials * ADDRESS_FACTOR,
      duration: WINDOW_SECONDS,
    });
  }

  /**
   * Counts wrong credentials.
   * @returns the error 429 if a limit is exceeded
   */
  async countFailure(request: Request): Promise<InventoryError | undefined> {
    const { headers } = request;
    // A request without credentials does not count.
    if (
      headers['x-auth-token'] === undefined &&
      headers.authorization === undefined &&
      !hasSessionCookie(request)
    )
      return undefined;
    const { userBucket, addressBucket } = this.bucketsOf(request);
    const waits = [
      blockedFor(this.byUser, await this.byUser.penalty(userBucket)),
      blockedFor(this.byAddress, await this.byAddress.penalty(addressBucket)),
    ];
    const wait = Math.max(...waits);
    return wait === 0 ? undefined : this.limitExceeded(Math.ceil(wait / 1000));
  }

  /**
   * Validates unknown credentials with an external service. For an address that exceeded a limit, at most two
   * validations run at a time, so that it cannot block the validations of others.
   * @throws InventoryError 429 without a validation
   */
  async runLimited<T>(request: Request, validate: () => Promise<T>): Promise<T> {
    const { userBucket, addressBucket } = this.bucketsOf(request);
    const waits = [
      blockedFor(this.byUser, await this.byUser.get(userBucket)),
      blockedFor(this.byAddress, await this.byAddress.get(addressBucket)),
    ];
    if (Math.max(...waits) === 0) return validate();
    const running = this.running.get(addressBucket) ?? 0;
    if (running >= MAX_CONCURRENT_VALIDATIONS) throw this.limitExceeded(RETRY_AFTER_SECONDS);
    this.running.set(addressBucket, running + 1);
    try {
      return await validate();
    } finally {
      const remaining = (this.running.get(addressBucket) ?? 0) - 1;
      if (remaining > 0) this.running.set(addressBucket, remaining);
      else this.running.delete(addressBucket);
    }
  }

  private limitExceeded(seconds: number): InventoryError {
    this.rejections.count('credentials');
    return new InventoryError('too_many_requests', 'Too many wrong credentials. Try again later.', [], {
      'retry-after': String(Math.max(1, seconds)),
      connection: 'close',
    });
  }

  private bucketsOf({ headers, ip = '' }: Request): {
    readonly userBucket: number;
    readonly addressBucket: number;
  } {
    const address = networkOf(ip);
    const user = headerText(headers['x-auth-user']) ?? '';
    return { userBucket: this.bucket(address, user), addressBucket: this.bucket(address) };
  }

  /** One of 65,536 buckets, so the memory is bounded. The secret makes collisions unpredictable. */
  private bucket(...values: string[]): number {
    return createHmac('sha256', this.secret).update(JSON.stringify(values)).digest().readUInt16BE();
  }
}

/** The milliseconds until the limit resets; 0 if it is not exceeded. */
const blockedFor = ({ points }: RateLimiterMemory, count: RateLimiterRes | null): number =>
  count && count.consumedPoints > points ? Math.max(1, count.msBeforeNext) : 0;

const parseGroups = (text: string): number[] =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));

/** The /64 network of an IPv6 address, because a client usually controls all its addresses. */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(plain)) return plain;
  const [head = [], tail = []] = plain.replace(/%.*$/, '').split('::').map(parseGroups);
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => 0);
  return [...head, ...zeros, ...tail].slice(0, 4).join(':');
}
