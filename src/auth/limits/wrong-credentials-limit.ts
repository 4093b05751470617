import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { createHmac, randomBytes } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { InventoryError } from '../../core/errors/inventory-error';
import { RejectionMetrics } from '../../http/active-requests';
import { headerText } from '../../http/request';
import { AUTH_LIMITS, type AuthLimits } from './auth-limits';

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
export class WrongCredentials {
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
  async tooMany(request: Request): Promise<InventoryError | undefined> {
    const { headers } = request;
    // A request without credentials does not count.
    if (headers['x-auth-token'] === undefined && headers.authorization === undefined) return undefined;
    const { userBucket, addressBucket } = this.bucketsOf(request);
    const waits = [
      blockedFor(this.byUser, await this.byUser.penalty(userBucket)),
      blockedFor(this.byAddress, await this.byAddress.penalty(addressBucket)),
    ];
    const wait = Math.max(...waits);
    return wait === 0 ? undefined : this.refusal(Math.ceil(wait / 1000));
  }

  /**
   * Validates unknown credentials with an external service. For an address that exceeded a limit, at most two
   * validations run at a time, so that it cannot block the validations of others.
   * @throws InventoryError 429 without a validation
   */
  async sparingly<T>(request: Request, validate: () => Promise<T>): Promise<T> {
    const { userBucket, addressBucket } = this.bucketsOf(request);
    const waits = [
      blockedFor(this.byUser, await this.byUser.get(userBucket)),
      blockedFor(this.byAddress, await this.byAddress.get(addressBucket)),
    ];
    if (Math.max(...waits) === 0) return validate();
    const running = this.running.get(addressBucket) ?? 0;
    if (running >= MAX_CONCURRENT_VALIDATIONS) throw this.refusal(RETRY_AFTER_SECONDS);
    this.running.set(addressBucket, running + 1);
    try {
      return await validate();
    } finally {
      const remaining = (this.running.get(addressBucket) ?? 0) - 1;
      if (remaining > 0) this.running.set(addressBucket, remaining);
      else this.running.delete(addressBucket);
    }
  }

  private refusal(seconds: number): InventoryError {
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
