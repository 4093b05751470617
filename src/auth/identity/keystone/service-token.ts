import { Injectable } from '@nestjs/common';
import { singleFlight } from '../../../core/single-flight';
import { KeystoneAway } from './keystone-unavailable';
import { KeystoneApi, type IssuedToken } from './keystone-api';

/** A question takes a moment, and clocks differ. In milliseconds. */
const BEFORE_ITS_END_MS = 30_000;

/** For how long Keystone is waited for when it is to be found out whether it is there at all. In milliseconds. */
const PROOF_PATIENCE_MS = 1_000;

interface InUse extends IssuedToken {
  /** When it is time for the next one. Milliseconds since the epoch. */
  readonly renewAt: number;
}

/** The token with which the service asks about those of others. */
@Injectable()
export class ServiceToken {
  private inUse: InUse | undefined;
  private readonly renewOnce = singleFlight(() => this.renew());

  constructor(private readonly keystone: KeystoneApi) {}

  /** Returns a token that stays valid for a while. @throws KeystoneAway */
  async get(): Promise<string> {
    if (this.inUse && Date.now() < this.inUse.renewAt) return this.inUse.token;
    return this.renewOnce();
  }

  /** Called where Keystone does not take it any more, although its time is not over. */
  refused(token: string): void {
    if (this.inUse?.token === token) this.inUse = undefined;
  }

  /**
   * Whether Keystone answers about this token of the service. If it does, it is available, and a failed validation was
   * caused by the client's token.
   */
  readonly isAnswered = singleFlight((token: string) => this.ask(token));

  private async ask(token: string): Promise<boolean> {
    try {
      return typeof (await this.keystone.validate(token, token, PROOF_PATIENCE_MS)) === 'object';
    } catch (error) {
      if (error instanceof KeystoneAway) return false;
      throw error;
    }
  }

  private async renew(): Promise<string> {
    const asked = Date.now();
    const issued = await this.keystone.authenticate();
    // Of one that lasts less than a minute, half.
    const margin = Math.min(BEFORE_ITS_END_MS, (issued.expiresAt - asked) / 2);
    this.inUse = { ...issued, renewAt: issued.expiresAt - margin };
    return issued.token;
  }
}
