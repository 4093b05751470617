import { Injectable } from '@nestjs/common';
import { KeystoneApi, type IssuedToken } from './keystone-api';

/** A question takes a moment, and clocks differ. In milliseconds. */
const BEFORE_ITS_END_MS = 30_000;

interface InUse extends IssuedToken {
  /** When it is time for the next one. Milliseconds since the epoch. */
  readonly renewAt: number;
}

/** The token with which the service asks about those of others. */
@Injectable()
export class ServiceToken {
  private inUse: InUse | undefined;
  private coming: Promise<string> | undefined;

  constructor(private readonly keystone: KeystoneApi) {}

  /** One that is good for a while; whoever asks while one is got waits for the same. @throws KeystoneAway */
  async get(): Promise<string> {
    if (this.inUse && Date.now() < this.inUse.renewAt) return this.inUse.token;
    this.coming ??= this.renew().finally(() => {
      this.coming = undefined;
    });
    return this.coming;
  }

  /** Called where Keystone does not take it any more, although its time is not over. */
  refused(token: string): void {
    if (this.inUse?.token === token) this.inUse = undefined;
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
