import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { createHmac, randomBytes } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { InventoryError } from '../../core/errors/inventory-error';
import { RejectionMetrics } from '../../http/active-requests';
import { headerText } from '../../http/request';
import { AUTH_LIMITS, type AuthLimits } from './auth-limits';

/** In seconds. */
const WINDOW = 60;
/** Whoever tries one name after the other may be wrong so many times as often. */
const NAMES = 10;
/** Of what an address sends that was wrong too often, so much is found out at a time. */
const ASKED_AT_ONCE = 2;
/** In seconds. */
const ASK_AGAIN_AFTER = 1;

/**
 * Slows down who is wrong again and again: from one address for one user, and from one address for whomever. Only wrong
 * credentials are counted. Right ones are let in whatever was tried before, by the same address or for the same user, so
 * that nobody can be locked out by somebody else.
 */
@Injectable()
export class WrongCredentials {
  private readonly byUser: RateLimiterMemory;
  private readonly byAddress: RateLimiterMemory;
  private readonly secret = randomBytes(16);
  /** How many are being found out for addresses that were wrong too often. */
  private readonly asking = new Map<number, number>();

  constructor(
    @Inject(AUTH_LIMITS) { wrongCredentials }: AuthLimits,
    private readonly rejections: RejectionMetrics,
  ) {
    this.byUser = new RateLimiterMemory({ points: wrongCredentials, duration: WINDOW });
    this.byAddress = new RateLimiterMemory({ points: wrongCredentials * NAMES, duration: WINDOW });
  }

  /**
   * Counts wrong credentials.
   * @returns what to answer in place of the usual refusal, where there were too many; undefined while there were not
   */
  async tooMany(request: Request): Promise<InventoryError | undefined> {
    const { headers } = request;
    // Who says nothing is not wrong.
    if (headers['x-auth-token'] === undefined && headers.authorization === undefined) return undefined;
    const { ofUser, ofAddress } = this.bucketsOf(request);
    const spent = [
      spentOf(this.byUser, await this.byUser.penalty(ofUser)),
      spentOf(this.byAddress, await this.byAddress.penalty(ofAddress)),
    ];
    const wait = Math.max(...spent);
    return wait === 0 ? undefined : this.refusal(Math.ceil(wait / 1000));
  }

  /**
   * Finds out about credentials that are not known here, where that takes others' time. For an address that was wrong too
   * often only two are found out at a time: it could keep everybody else waiting.
   * @throws InventoryError 429, and then nothing was asked
   */
  async sparingly<T>(request: Request, ask: () => Promise<T>): Promise<T> {
    const { ofUser, ofAddress } = this.bucketsOf(request);
    const counts = [
      spentOf(this.byUser, await this.byUser.get(ofUser)),
      spentOf(this.byAddress, await this.byAddress.get(ofAddress)),
    ];
    if (Math.max(...counts) === 0) return ask();
    const asking = this.asking.get(ofAddress) ?? 0;
    if (asking >= ASKED_AT_ONCE) throw this.refusal(ASK_AGAIN_AFTER);
    this.asking.set(ofAddress, asking + 1);
    try {
      return await ask();
    } finally {
      const left = (this.asking.get(ofAddress) ?? 0) - 1;
      if (left > 0) this.asking.set(ofAddress, left);
      else this.asking.delete(ofAddress);
    }
  }

  private refusal(seconds: number): InventoryError {
    this.rejections.count('credentials');
    return new InventoryError('too_many_requests', 'Too many wrong credentials. Try again later.', [], {
      'retry-after': String(Math.max(1, seconds)),
      connection: 'close',
    });
  }

  private bucketsOf({ headers, ip = '' }: Request): { readonly ofUser: number; readonly ofAddress: number } {
    const address = networkOf(ip);
    const user = headerText(headers['x-auth-user']) ?? '';
    return { ofUser: this.bucket(address, user), ofAddress: this.bucket(address) };
  }

  /** One of 65,536: whatever is tried, what is remembered of it stays small. Which names meet in one cannot be known. */
  private bucket(...of: string[]): number {
    return createHmac('sha256', this.secret).update(JSON.stringify(of)).digest().readUInt16BE();
  }
}

/** In how many milliseconds there is anything left again; 0 while there is. */
const spentOf = ({ points }: RateLimiterMemory, count: RateLimiterRes | null): number =>
  count && count.consumedPoints > points ? Math.max(1, count.msBeforeNext) : 0;

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
