import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Pool } from 'undici';
import {
  errorCode,
  pauseAfter,
  SHORT_PAUSE_MS,
  LONG_PAUSE_MS,
  ProviderUnavailableError,
} from '../circuit-breaker';
import { KEYSTONE_SETTINGS, type KeystoneSettings } from './keystone-settings';
import { parseKeystoneToken, type KeystoneToken } from './keystone-token';
import { singleFlight } from '../../../core/concurrency';

/** The maximum of connections to Keystone per process, and of concurrent requests. */
export const MAX_CONNECTIONS = 16;

/** In bytes. The description of a token with hundreds of roles has a tenth of it. */
const MAX_RESPONSE_SIZE = 1024 * 1024;

/** The injection token of the connection pool for Keystone. */
export const KEYSTONE_POOL = Symbol('pool of connections to Keystone');

/** Imports undici only if Keystone is configured, because loading it takes about 5 % of the startup time. */
export async function createKeystonePool({ url, timeoutMs }: KeystoneSettings): Promise<Pool> {
  const { Pool } = await import('undici');
  return new Pool(url.origin, {
    connections: MAX_CONNECTIONS,
    maxResponseSize: MAX_RESPONSE_SIZE,
    connect: { timeout: timeoutMs },
  });
}

/** A token of the service user. */
interface IssuedToken {
  readonly token: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

interface ApiRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs?: number;
}

/** The result of a validation; undefined if the token is not valid. */
export type TokenValidation = KeystoneToken | undefined | 'rejected' | 'forbidden';

interface ApiResponse {
  readonly status: number;
  readonly token: string | undefined;
  readonly text: string;
}

/** Statuses of an invalid token. */
const INVALID_TOKEN_STATUSES = new Set([400, 404, 413, 414, 431]);

/**
 * The name of the operation in Keystone policies. A 403 that contains it means that the service lacks a role. Any other
 * 403 is caused by the token: for example, it belongs to a trust whose trustor has lost the role.
 */
const VALIDATE_TOKEN = 'identity:validate_token';

/** Error codes of a broken connection, for example when Keystone closes an idle connection during a request. */
const CONNECTION_ERRORS = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** A client for the Keystone API to issue and validate tokens. */
@Injectable()
export class KeystoneApi implements OnApplicationShutdown {
  private readonly path: string;

  constructor(
    @Inject(KEYSTONE_SETTINGS) private readonly settings: KeystoneSettings,
    @Inject(KEYSTONE_POOL) private readonly pool: Pool,
  ) {
    // Without `nocatalog`, the catalog would be the largest part of each response.
    this.path = `${settings.url.pathname}/auth/tokens?nocatalog`;
  }

  /** Runs after the last response. */
  async onApplicationShutdown(): Promise<void> {
    await this.pool.destroy();
  }

  /** Gets a token for the service user. @throws ProviderUnavailableError also if the credentials are invalid */
  async authenticate(): Promise<IssuedToken> {
    const { username: name, password, userDomain, project, projectDomain } = this.settings;
    const identity = { methods: ['password'], password: { user: { name, password, domain: userDomain } } };
    const scope = { project: { name: project, domain: projectDomain } };
    const { status, token, text } = await this.request({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ auth: { identity, scope } }),
    });
    if (status === 401)
      throw new ProviderUnavailableError(
        'Keystone rejects the credentials of this service: check KEYSTONE_USERNAME, KEYSTONE_PASSWORD and KEYSTONE_PROJECT',
        LONG_PAUSE_MS,
      );
    const issued = status === 201 ? parseKeystoneToken(text) : undefined;
    if (token === undefined || !issued)
      throw new ProviderUnavailableError(
        `Keystone responds to the authentication of this service with status ${String(status)}`,
        SHORT_PAUSE_MS,
      );
    return { token, expiresAt: issued.expiresAt };
  }

  /**
   * Validates a token. The request does not send `OpenStack-Identity-Access-Rules`, so Keystone rejects tokens with
   * access rules, which Muster does not support.
   * @param token a token that a header can contain
   * @returns undefined if the token is not valid; 'rejected' if the token of the service is not valid; 'forbidden' if
   *   Keystone seems to forbid the validation of this token only
   * @throws ProviderUnavailableError
   */
  async validate(token: string, serviceToken: string, timeoutMs?: number): Promise<TokenValidation> {
    const { status, text } = await this.request({
      method: 'GET',
      headers: { 'x-auth-token': serviceToken, 'x-subject-token': token },
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
    if (INVALID_TOKEN_STATUSES.has(status)) return undefined;
    if (status === 401) return 'rejected';
    if (status === 403 && !text.includes(VALIDATE_TOKEN)) return 'forbidden';
    if (status === 403)
      throw new ProviderUnavailableError(
        'Keystone does not allow the user of this service to validate tokens: it needs the role service, or admin, in KEYSTONE_PROJECT',
        LONG_PAUSE_MS,
      );
    const parsed = status === 200 ? parseKeystoneToken(text) : undefined;
    if (!parsed)
      throw new ProviderUnavailableError(
        `Keystone responds to the validation of a token with status ${String(status)}`,
        pauseAfter(status),
      );
    return parsed;
  }

  private async request(request: ApiRequest): Promise<ApiResponse> {
    try {
      return await this.send(request).catch((error: unknown) => {
        if (CONNECTION_ERRORS.has(errorCode(error))) return this.send(request);
        throw error;
      });
    } catch (error) {
      const code = errorCode(error);
      throw new ProviderUnavailableError(
        `Keystone is not reachable at ${this.settings.url.origin}: ${code}`,
        CONNECTION_ERRORS.has(code) ? undefined : SHORT_PAUSE_MS,
        { cause: error },
      );
    }
  }

  private async send({ method, headers, body, timeoutMs }: ApiRequest): Promise<ApiResponse> {
    const response = await this.pool.request({
      path: this.path,
      method,
      headers: { accept: 'application/json', 'user-agent': 'muster', ...headers },
      body: body ?? null,
      signal: AbortSignal.timeout(timeoutMs ?? this.settings.timeoutMs),
    });
    const text = await response.body.text();
    const token = response.headers['x-subject-token'];
    return { status: response.statusCode, token: typeof token === 'string' ? token : undefined, text };
  }
}

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
