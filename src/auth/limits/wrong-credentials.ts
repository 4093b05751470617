import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { createHmac, randomBytes } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { InventoryError } from '../../shared/errors/inventory-error';
import { Refusals } from '../../shared/http/refusals';
import { headerText } from '../../shared/http/request-id';
import { AUTH_LIMITS, type AuthLimits } from './auth-limits';

/** In seconds. */
const WINDOW = 60;
/** Whoever tries one name after the other may be wrong so many times as often. */
const NAMES = 10;

/**
 * Slows down who is wrong again and again: from one address for one user, and from one address for whomever. Only wrong
 * credentials come here. Right ones are let in whatever was tried before, by the same address or for the same user, so
 * that nobody can be locked out by somebody else.
 */
@Injectable()
export class WrongCredentials {
  private readonly byUser: RateLimiterMemory;
  private readonly byAddress: RateLimiterMemory;
  private readonly secret = randomBytes(16);

  constructor(
    @Inject(AUTH_LIMITS) { wrongCredentials }: AuthLimits,
    private readonly refusals: Refusals,
  ) {
    this.byUser = new RateLimiterMemory({ points: wrongCredentials, duration: WINDOW });
    this.byAddress = new RateLimiterMemory({ points: wrongCredentials * NAMES, duration: WINDOW });
  }

  /**
   * Counts wrong credentials.
   * @returns what to answer in place of the usual refusal, where there were too many; undefined while there were not
   */
  async tooMany({ headers, ip = '' }: Request): Promise<InventoryError | undefined> {
    // Who says nothing is not wrong.
    if (headers['x-auth-token'] === undefined && headers.authorization === undefined) return undefined;
    const address = networkOf(ip);
    const user = headerText(headers['x-auth-user']) ?? '';
    const counts = [
      await this.byUser.penalty(this.bucket(address, user)),
      await this.byAddress.penalty(this.bucket(address)),
    ];
    const [ofUser, ofAddress] = [this.byUser.points, this.byAddress.points];
    const spent = counts.filter(({ consumedPoints }, i) => consumedPoints > (i === 0 ? ofUser : ofAddress));
    if (spent.length === 0) return undefined;
    this.refusals.count('credentials');
    const seconds = Math.ceil(Math.max(...spent.map(({ msBeforeNext }) => msBeforeNext)) / 1000);
    return new InventoryError('too_many_requests', 'Too many wrong credentials. Try again later.', [], {
      'retry-after': String(Math.max(1, seconds)),
      connection: 'close',
    });
  }

  /** One of 65,536: whatever is tried, what is remembered of it stays small. Which names meet in one cannot be known. */
  private bucket(...of: string[]): number {
    return createHmac('sha256', this.secret).update(JSON.stringify(of)).digest().readUInt16BE();
  }
}

const groupsOf = (text: string): number[] =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));

/** Of IPv6, whoever has one address has a network of 64 bits. */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(plain)) return plain;
  const [head = [], tail = []] = plain.replace(/%.*$/, '').split('::').map(groupsOf);
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => 0);
  return [...head, ...zeros, ...tail].slice(0, 4).join(':');
}
