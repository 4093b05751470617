import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Pool } from 'undici';
import { BRIEFLY_MS, FOR_A_WHILE_MS, KeystoneAway } from './keystone-unavailable';
import { KEYSTONE_POOL } from './keystone-http-pool';
import { KEYSTONE, type KeystoneSettings } from './keystone-settings';
import { parseToken, type KeystoneToken } from './keystone-token';

/** What Keystone gives the service for its password. */
export interface IssuedToken {
  readonly token: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

interface Question {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly patienceMs?: number;
}

/** What Keystone says of a token. */
export type Said = KeystoneToken | undefined | 'refused' | 'forbidden';

interface Answer {
  readonly status: number;
  readonly token: string | undefined;
  readonly text: string;
}

/** What says that it is the token with which nothing can be done. */
const OF_THE_TOKEN = new Set([400, 404, 413, 414, 431]);

/**
 * What the service does, by the name that Keystone's policies have for it. A 403 that names it is about the service's role;
 * one that does not is about the token: a trust's, whose giver has the role no more.
 */
const ASKING = 'identity:validate_token';

/** What says that Keystone, or a proxy before it, has no time for anybody. */
const OF_THE_SERVER = new Set([429, 502, 503, 504]);

const pauseAfter = (status: number): number | undefined =>
  OF_THE_SERVER.has(status) ? BRIEFLY_MS : undefined;

/** The connection was there and broke: as one does that Keystone has closed while the question was on its way. */
const BROKEN = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** The part of Keystone's API that takes passwords and tells about tokens. */
@Injectable()
export class KeystoneApi implements OnApplicationShutdown {
  private readonly path: string;

  constructor(
    @Inject(KEYSTONE) private readonly settings: KeystoneSettings,
    @Inject(KEYSTONE_POOL) private readonly pool: Pool,
  ) {
    // The catalog would be the longest part of each answer.
    this.path = `${settings.url.pathname}/auth/tokens?nocatalog`;
  }

  /** By then no request is answered any more. */
  async onApplicationShutdown(): Promise<void> {
    await this.pool.destroy();
  }

  /** A token for the service's own user. @throws KeystoneAway also if Keystone does not know that user */
  async authenticate(): Promise<IssuedToken> {
    const { username: name, password, userDomain, project, projectDomain } = this.settings;
    const identity = { methods: ['password'], password: { user: { name, password, domain: userDomain } } };
    const scope = { project: { name: project, domain: projectDomain } };
    const { status, token, text } = await this.ask({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ auth: { identity, scope } }),
    });
    if (status === 401)
      throw new KeystoneAway(
        'Keystone refuses the user of this service: see KEYSTONE_USERNAME, KEYSTONE_PASSWORD and KEYSTONE_PROJECT',
        FOR_A_WHILE_MS,
      );
    const issued = status === 201 ? parseToken(text) : undefined;
    if (token === undefined || !issued)
      throw new KeystoneAway(`Keystone answers a password with status ${String(status)}`, BRIEFLY_MS);
    return { token, expiresAt: issued.expiresAt };
  }

  /**
   * What a token is. Without the header that promises to hold tokens to their access rules, Keystone takes those that have
   * such rules for none: Muster does not know them.
   * @param token one that a header can carry
   * @param patienceMs for how long an answer is waited for
   * @returns undefined if it is not valid; 'refused' if the service's own token is not; 'forbidden' if it seems to be this
   * token about which nothing is told
   * @throws KeystoneAway
   */
  async validate(token: string, serviceToken: string, patienceMs?: number): Promise<Said> {
    const { status, text } = await this.ask({
      method: 'GET',
      headers: { 'x-auth-token': serviceToken, 'x-subject-token': token },
      ...(patienceMs === undefined ? {} : { patienceMs }),
    });
    if (OF_THE_TOKEN.has(status)) return undefined;
    if (status === 401) return 'refused';
    if (status === 403 && !text.includes(ASKING)) return 'forbidden';
    if (status === 403)
      throw new KeystoneAway(
        'Keystone does not tell the user of this service about tokens: it needs the role service, or admin, in KEYSTONE_PROJECT',
        FOR_A_WHILE_MS,
      );
    const said = status === 200 ? parseToken(text) : undefined;
    if (!said)
      throw new KeystoneAway(
        `Keystone answers about a token with status ${String(status)}`,
        pauseAfter(status),
      );
    return said;
  }

  private async ask(question: Question): Promise<Answer> {
    try {
      return await this.attempt(question).catch((error: unknown) => {
        if (BROKEN.has(codeOf(error))) return this.attempt(question);
        throw error;
      });
    } catch (error) {
      const code = codeOf(error);
      throw new KeystoneAway(
        `Keystone does not answer at ${this.settings.url.origin}: ${code}`,
        BROKEN.has(code) ? undefined : BRIEFLY_MS,
        { cause: error },
      );
    }
  }

  private async attempt({ method, headers, body, patienceMs }: Question): Promise<Answer> {
    const answer = await this.pool.request({
      path: this.path,
      method,
      headers: { accept: 'application/json', 'user-agent': 'muster', ...headers },
      body: body ?? null,
      signal: AbortSignal.timeout(patienceMs ?? this.settings.patienceMs),
    });
    const text = await answer.body.text();
    const token = answer.headers['x-subject-token'];
    return { status: answer.statusCode, token: typeof token === 'string' ? token : undefined, text };
  }
}

/** In a word, what has happened: what an error says besides may be part of what was sent. */
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'unknown';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'name' in error && typeof error.name === 'string' ? error.name : 'unknown';
}
