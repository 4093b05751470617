import { Inject, Injectable, Logger, Optional } from '@nestjs/common';
import type { CallerApiKey, Principal } from '../../core/context/request-context';
import { Database, type Transaction } from '../../database/database';
import { sql, type Sql } from '../../database/sql';
import type { CallerSession } from '../../http/request-state';
import { sequentialLoader } from '../batch-loader';
import { ttlCache } from '../ttl-cache';
import { interval, readSessions, type SessionsRead, type StoredSession } from './session-rows';
import {
  addressText,
  generateSessionToken,
  parseAddress,
  type NewSessionToken,
  type SessionAddress,
} from './session-token';

/** The injection token of `SessionLimits`. */
export const SESSION_LIMITS = Symbol('session limits');

/** When sessions end. */
export interface SessionLimits {
  /** The seconds without a request after which a session ends. */
  readonly idleSeconds: number;
  /** The seconds since the sign-in after which a session ends. */
  readonly maxSeconds: number;
}

/** Who signs in, and in which project. */
export interface SignIn {
  readonly principal: Principal;
  readonly projectId: string;
  /** The API key with which the session is started; undefined for a sign-in with OpenID Connect. */
  readonly key: CallerApiKey | undefined;
  readonly oidc: CallerSession['oidc'];
}

/**
 * The sessions of browsers. They are stored in the database, so they are valid in every process, and cached like API
 * keys. The cookie names the project, so that one node of a distributed database finds the session.
 */
@Injectable()
export class SessionStore {
  private readonly log = new Logger('Sessions');
  private readonly loader = sequentialLoader((addresses) => this.read({ addresses }));
  private readonly sessions = ttlCache((address) => this.load(address));

  /** Commands have no limits, because they neither start nor read sessions. */
  constructor(
    private readonly database: Database,
    @Optional() @Inject(SESSION_LIMITS) private readonly configured?: SessionLimits,
  ) {}

  /** Finds a session. It can be invalid: see `failure`. */
  async find(address: SessionAddress): Promise<StoredSession | undefined> {
    return this.sessions.fetch(addressText(address));
  }

  /** Starts a session. It ends with its API key at the latest. */
  async start(signIn: SignIn): Promise<NewSessionToken> {
    const { homeProjectId } = signIn.principal;
    const lifetime = interval(this.limits.maxSeconds);
    const keyEnd = timeOrNull(signIn.key?.expiresAt);
    return this.database.transaction(async (tx) => {
      await tx.execute(sql`DELETE FROM sessions WHERE project_id = ${homeProjectId} AND expires_at <= now()`);
      return insertSession(tx, signIn, sql`now(), LEAST(now() + ${lifetime}, ${keyEnd})`);
    });
  }

  /**
   * Replaces a session by one in another project. The token changes, because other processes have cached the project of
   * the former one.
   * @returns undefined if the session has ended meanwhile
   */
  async replace(former: CallerSession, signIn: SignIn): Promise<NewSessionToken | undefined> {
    return this.database
      .transaction(async (tx) => {
        if ((await deleteSession(tx, former)) === 0) return undefined;
        return insertSession(
          tx,
          signIn,
          sql`${timeOrNull(former.createdAt)}, ${timeOrNull(former.expiresAt)}`,
        );
      })
      .finally(() => this.sessions.delete(former.address));
  }

  /** Ends a session. Other processes accept it until their cached entry expires. */
  async end(session: CallerSession): Promise<void> {
    await this.database
      .transaction((tx) => deleteSession(tx, session))
      .finally(() => this.sessions.delete(session.address));
  }

  /** Called after changes of users or keys. */
  invalidate(): void {
    this.sessions.clear();
  }

  private get limits(): SessionLimits {
    if (!this.configured) throw new Error('no limits of sessions are configured');
    return this.configured;
  }

  /** In a distributed database, sessions are read one by one, because each can be on another node. */
  private async load(address: string): Promise<StoredSession | undefined> {
    if (!(await this.database.isDistributed())) return this.loader.load(address);
    const { projectId } = parseAddress(address);
    return (await this.read({ addresses: [address], projectId })).get(address);
  }

  private async read(wanted: Omit<SessionsRead, 'idleSeconds'>): Promise<ReadonlyMap<string, StoredSession>> {
    const { idleSeconds } = this.limits;
    const { sessions, untouched } = await readSessions(this.database, { ...wanted, idleSeconds });
    for (const address of untouched) await this.touch(address);
    return sessions;
  }

  /** Stores that a session is in use. A failure is only logged: the session is valid, and the next read tries again. */
  private async touch(address: string): Promise<void> {
    try {
      await this.database.rows(sql`UPDATE sessions SET used_at = now() WHERE ${isAt(address)}`);
    } catch (error) {
      this.log.warn({ err: error }, 'The use of a session could not be stored.');
    }
  }
}

/** Deletes the sessions of a user that is deleted. */
export async function deleteSessions(
  tx: Transaction,
  user: { readonly projectId: string; readonly id: number },
): Promise<void> {
  await tx.execute(sql`DELETE FROM sessions WHERE project_id = ${user.projectId} AND user_id = ${user.id}`);
}

/** @param times the time of the sign-in and the latest end */
async function insertSession(
  tx: Transaction,
  { principal, projectId, key, oidc }: SignIn,
  times: Sql,
): Promise<NewSessionToken> {
  const { userId, homeProjectId } = principal;
  const created = generateSessionToken(homeProjectId);
  const assertion = oidc ? JSON.stringify(oidc) : null;
  await tx.execute(sql`INSERT INTO sessions
      (project_id, token_hash, user_id, entered_project_id, key_id, oidc, created_at, expires_at)
    VALUES (${homeProjectId}, decode(${created.tokenHash}, 'hex'), ${userId}, ${projectId},
      ${key?.id ?? null}, ${assertion}::jsonb, ${times})`);
  return created;
}

const deleteSession = (tx: Transaction, { address }: CallerSession): Promise<number> =>
  tx.execute(sql`DELETE FROM sessions WHERE ${isAt(address)}`);

function isAt(address: string): Sql {
  const { projectId, tokenHash } = parseAddress(address);
  return sql`project_id = ${projectId} AND token_hash = decode(${tokenHash}, 'hex')`;
}

/** A time in UTC, as in responses. */
const timeOrNull = (time: string | null | undefined): Sql =>
  sql`${time === null || time === undefined ? null : `${time}Z`}::timestamptz`;
