import { Injectable } from '@nestjs/common';
import { singleFlight } from '../../../core/concurrency';
import { ProviderUnavailableError } from '../circuit-breaker';
import { KeystoneApi, type IssuedToken } from './keystone-api';

/** A token is renewed this long before it expires, because requests take time and clocks differ. */
const RENEWAL_MARGIN_MS = 30_000;

/** The timeout of an availability check. */
const AVAILABILITY_TIMEOUT_MS = 1_000;

interface CurrentToken extends IssuedToken {
  /** The time of the renewal, in milliseconds since the epoch. */
  readonly renewAt: number;
}

/** The token that the service uses to validate other tokens. */
@Injectable()
export class ServiceToken {
  private current: CurrentToken | undefined;
  private readonly renewOnce = singleFlight(() => this.renew());

  constructor(private readonly keystone: KeystoneApi) {}

  /** Returns a token that stays valid for a while. @throws ProviderUnavailableError */
  async get(): Promise<string> {
    if (this.current && Date.now() < this.current.renewAt) return this.current.token;
    return this.renewOnce();
  }

  /** Discards a token that Keystone rejects before it expires. */
  discard(token: string): void {
    if (this.current?.token === token) this.current = undefined;
  }

  /**
   * Whether Keystone validates this token of the service. If it does, it is available, and a failed validation was
   * caused by the client's token.
   */
  readonly isKeystoneAvailable = singleFlight((token: string) => this.checkAvailability(token));

  private async checkAvailability(token: string): Promise<boolean> {
    try {
      return typeof (await this.keystone.validate(token, token, AVAILABILITY_TIMEOUT_MS)) === 'object';
    } catch (error) {
      if (error instanceof ProviderUnavailableError) return false;
      throw error;
    }
  }

  private async renew(): Promise<string> {
    const requestedAt = Date.now();
    const issued = await this.keystone.authenticate();
    // A token with a lifetime below one minute is renewed after half of it.
    const margin = Math.min(RENEWAL_MARGIN_MS, (issued.expiresAt - requestedAt) / 2);
    this.current = { ...issued, renewAt: issued.expiresAt - margin };
    return issued.token;
  }
}
