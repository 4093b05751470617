import { Inject, Injectable, Logger, Optional } from '@nestjs/common';
import type { CallerApiKey, Principal } from '../../core/context/request-context';
import { Database, type Transaction, type Queryable } from '../../database/database';
import type { RowCache } from '../../database/row-cache';
import { sql, type Sql, arrayParameter, raw } from '../../database/sql';
import type { AuthFailureReason, CallerSession, OidcAssertion } from '../../http/request-state';
import {
  sessionIdText,
  generateSessionToken,
  parseSessionId,
  type NewSessionToken,
  type SessionId,
} from './session-cookie';
import { timestampText } from '../../database/resource-mapping';

/** A use is stored at most this often, in seconds, so that a session costs few writes. */
const MAX_TOUCH_SECONDS = 60;
/** With a short idle time, a use is stored more often: at most so many times within it. */
const TOUCHES_PER_IDLE_TIME = 10;

/** The sessions that a user can have. A further sign-in ends the one that was not used for the longest time. */
export const MAX_SESSIONS_PER_USER = 20;

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
  readonly oidc: OidcAssertion | undefined;
}

/** A session with its user. */
export interface StoredSession extends Omit<CallerSession, 'oidc'> {
  /** After a sign-in with OpenID Connect without permissions: those follow from the assertion at each request. */
  readonly principal: Principal;
  readonly oidc: OidcAssertion | undefined;
  readonly enteredProjectId: string;
  /** The API key with which it was started; undefined after a sign-in with OpenID Connect. */
  readonly key: CallerApiKey | undefined;
  /** Why the session is not valid any more; undefined if it is valid. */
  readonly failure: AuthFailureReason | undefined;
}

/** Which sessions to read. */
interface SessionsRead {
  readonly ids: readonly string[];
  /** The project of all these sessions; undefined: several. */
  readonly projectId: string | undefined;
  readonly idleSeconds: number;
}

/**
 * The sessions of browsers. They are stored in the database, so they are valid in every process, and cached like API
 * keys. The cookie names the project, which is known before the session is found.
 */
@Injectable()
export class SessionStore {
  private readonly log = new Logger('Sessions');
  private readonly sessions: RowCache<StoredSession>;

  /** Commands have no limits, because they neither start nor read sessions. */
  constructor(
    private readonly database: Database,
    @Optional() @Inject(SESSION_LIMITS) private readonly configured?: SessionLimits,
  ) {
    this.sessions = database.rowCache({
      read: (ids, projectId) => this.read({ ids, projectId }),
      areElsewhere: false,
    });
  }

  /** Finds a session. It can be invalid: see `failure`. */
  async find(id: SessionId): Promise<StoredSession | undefined> {
    return this.sessions.fetch(sessionIdText(id), id.projectId);
  }

  /**
   * Starts a session. It ends with its API key at the latest.
   * @param replaces the id of the former session of the browser, which ends
   * @returns undefined if the user was deleted meanwhile
   */
  async start(signIn: SignIn, replaces?: string): Promise<NewSessionToken | undefined> {
    const { homeProjectId, userId } = signIn.principal;
    const user = { projectId: homeProjectId, id: userId };
    const lifetime = interval(this.limits.maxSeconds);
    const keyEnd = timeOrNull(signIn.key?.expiresAt);
    return this.database
      .transaction(async (tx) => {
        if (!(await lockUser(tx, user))) return undefined;
        await tx.execute(
          sql`DELETE FROM sessions WHERE project_id = ${homeProjectId} AND expires_at <= now()`,
        );
        if (replaces !== undefined) await deleteSession(tx, replaces);
        const token = await insertSession(tx, signIn, sql`now(), LEAST(now() + ${lifetime}, ${keyEnd})`);
        await deleteUnusedSessions(tx, user);
        return token;
      })
      .finally(() => {
        if (replaces !== undefined) this.forget(replaces);
      });
  }

  /**
   * Replaces a session by one in another project. The token changes, because other processes have cached the project of
   * the former one.
   * @returns undefined if the session has ended, or the user was deleted, meanwhile
   */
  async replace(former: CallerSession, signIn: SignIn): Promise<NewSessionToken | undefined> {
    const { homeProjectId, userId } = signIn.principal;
    const user = { projectId: homeProjectId, id: userId };
    return this.database
      .transaction(async (tx) => {
        if (!(await lockUser(tx, user))) return undefined;
        if ((await deleteSession(tx, former.id)) === 0) return undefined;
        const times = sql`${timeOrNull(former.createdAt)}, ${timeOrNull(former.expiresAt)}`;
        const token = await insertSession(tx, signIn, times);
        await deleteUnusedSessions(tx, user);
        return token;
      })
      .finally(() => {
        this.forget(former.id);
      });
  }

  /** Ends a session. Other processes accept it until their cached entry expires. */
  async end({ id }: CallerSession): Promise<void> {
    await this.database
      .transaction((tx) => deleteSession(tx, id))
      .finally(() => {
        this.forget(id);
      });
  }

  /** Called after changes of users or keys. */
  invalidate(): void {
    this.sessions.clear();
  }

  private get limits(): SessionLimits {
    if (!this.configured) throw new Error('no limits of sessions are configured');
    return this.configured;
  }

  private forget(id: string): void {
    this.sessions.delete(id, parseSessionId(id).projectId);
  }

  private async read(wanted: Omit<SessionsRead, 'idleSeconds'>): Promise<ReadonlyMap<string, StoredSession>> {
    const { idleSeconds } = this.limits;
    const { sessions, untouched } = await readSessions(this.database, { ...wanted, idleSeconds });
    for (const id of untouched) await this.touch(id);
    return sessions;
  }

  /** Stores that a session is in use. A failure is only logged: the session is valid, and the next read tries again. */
  private async touch(id: string): Promise<void> {
    try {
      await this.database.rows(sql`UPDATE sessions SET used_at = now() WHERE ${hasId(id)}`);
    } catch (error) {
      this.log.warn({ error: String(error) }, 'The use of a session could not be stored.');
    }
  }
}

interface SessionOwner {
  readonly projectId: string;
  readonly id: number;
}

/**
 * Deletes the sessions of a user: of a user of an OpenID provider also those in other projects, because each of them can
 * enter every project that the provider grants.
 * @returns how many there were
 */
export async function deleteSessions(tx: Transaction, { projectId, id }: SessionOwner): Promise<number> {
  const [user] = await tx.rows<{ oidc_subject: string | null }>(
    sql`SELECT oidc_subject FROM users WHERE project_id = ${projectId} AND id = ${id}`,
  );
  const own = await tx.execute(sql`DELETE FROM sessions WHERE project_id = ${projectId} AND user_id = ${id}`);
  const subject = user?.oidc_subject ?? undefined;
  if (subject === undefined) return own;
  return own + (await tx.execute(sql`DELETE FROM sessions WHERE oidc ->> 'subject' = ${subject}`));
}

/**
 * Deletes the sessions of all users of a project, also those in other projects, and those that have entered it last. Those of
 * other root users stay, although their requests can name the project.
 * @returns how many there were
 */
export async function deleteProjectSessions(tx: Transaction, projectId: string): Promise<number> {
  const users = await tx.rows<{ oidc_subject: string }>(
    sql`SELECT oidc_subject FROM users WHERE project_id = ${projectId} AND oidc_subject IS NOT NULL`,
  );
  const subjects = arrayParameter(users.map(({ oidc_subject }) => oidc_subject));
  return tx.execute(sql`DELETE FROM sessions WHERE project_id = ${projectId} OR entered_project_id = ${projectId}
    OR oidc ->> 'subject' = ANY(${subjects}::text[])`);
}

/**
 * Serializes the sign-ins of a user: sessions that are inserted at the same time would not count each other.
 * @returns whether the user exists
 */
async function lockUser(tx: Transaction, { projectId, id }: SessionOwner): Promise<boolean> {
  const users = await tx.rows(
    sql`SELECT FROM users WHERE project_id = ${projectId} AND id = ${id} FOR NO KEY UPDATE`,
  );
  return users.length > 0;
}

/** Deletes the sessions of a user beyond the allowed number, those that were not used for the longest time. */
async function deleteUnusedSessions(tx: Transaction, { projectId, id }: SessionOwner): Promise<void> {
  await tx.execute(sql`DELETE FROM sessions s WHERE s.project_id = ${projectId} AND s.user_id = ${id}
    AND s.token_hash <> ALL(ARRAY(SELECT k.token_hash FROM sessions k
      WHERE k.project_id = ${projectId} AND k.user_id = ${id}
      ORDER BY k.used_at DESC, k.created_at DESC LIMIT ${raw(String(MAX_SESSIONS_PER_USER))}))`);
}

/** @param times the time of the sign-in and the latest end */
async function insertSession(
  tx: Transaction,
  { principal, projectId, key, oidc }: SignIn,
  times: Sql,
): Promise<NewSessionToken> {
  const { userId, homeProjectId } = principal;
  const created = generateSessionToken(homeProjectId);
  const assertion = oidc
    ? JSON.stringify({
        subject: oidc.subject,
        names: oidc.names,
        values: oidc.values,
      } satisfies OidcAssertion)
    : null;
  await tx.execute(sql`INSERT INTO sessions
      (project_id, token_hash, user_id, entered_project_id, key_id, oidc, created_at, expires_at)
    VALUES (${homeProjectId}, decode(${created.tokenHash}, 'hex'), ${userId}, ${projectId},
      ${key?.id ?? null}, ${assertion}::jsonb, ${times})`);
  return created;
}

const deleteSession = (tx: Transaction, id: string): Promise<number> =>
  tx.execute(sql`DELETE FROM sessions WHERE ${hasId(id)}`);

function hasId(id: string): Sql {
  const { projectId, tokenHash } = parseSessionId(id);
  return sql`project_id = ${projectId} AND token_hash = decode(${tokenHash}, 'hex')`;
}

/** A time in UTC, as in responses. */
const timeOrNull = (time: string | null | undefined): Sql =>
  sql`${time === null || time === undefined ? null : `${time}Z`}::timestamptz`;

interface Row {
  [column: string]: unknown;
  project_id: string;
  token_hash: string;
  entered_project_id: string;
  key_id: string | null;
  /** Sessions of earlier versions have no values, and so no permissions. */
  oidc: (Omit<OidcAssertion, 'values'> & Partial<Pick<OidcAssertion, 'values'>>) | null;
  created_at: string;
  expires_at: string;
  idle_expires_at: string;
  is_expired: boolean;
  is_untouched: boolean;
  is_key_revoked: boolean;
  is_key_expired: boolean;
  key_expires_at: string | null;
  user_id: number;
  username: string;
  is_admin: boolean;
  is_root: boolean;
  roles: string[];
}

const interval = (seconds: number): Sql => sql`make_interval(secs => ${seconds}::float8)`;

/**
 * Reads sessions with their users and keys.
 * @returns the sessions by id, and the ids of valid sessions whose use has to be stored
 */
async function readSessions(
  on: Queryable,
  { ids, projectId, idleSeconds }: SessionsRead,
): Promise<{ sessions: ReadonlyMap<string, StoredSession>; untouched: readonly string[] }> {
  const parsed = ids.map(parseSessionId);
  const projects = arrayParameter([...new Set(parsed.map((id) => id.projectId))]);
  const hashes = arrayParameter(parsed.map(({ tokenHash }) => `\\x${tokenHash}`));
  const touchSeconds = Math.min(MAX_TOUCH_SECONDS, idleSeconds / TOUCHES_PER_IDLE_TIME);
  const isInProject =
    projectId === undefined ? sql`s.project_id = ANY(${projects}::uuid[])` : sql`s.project_id = ${projectId}`;
  const rows = await on.rows<Row>(sql`
    SELECT s.project_id, encode(s.token_hash, 'hex') AS token_hash, s.entered_project_id, s.key_id, s.oidc,
      ${raw(timestampText('s.created_at'))} AS created_at, ${raw(timestampText('s.expires_at'))} AS expires_at,
      ${raw(timestampText('s.idle_end'))} AS idle_expires_at, LEAST(s.expires_at, s.idle_end) <= now() AS is_expired,
      s.used_at + ${interval(touchSeconds)} <= now() AS is_untouched,
      s.key_id IS NOT NULL AND (k.key_id IS NULL OR k.revoked_at IS NOT NULL) AS is_key_revoked, COALESCE(k.expires_at <= now(), false) AS is_key_expired,
      ${raw(timestampText('k.expires_at'))} AS key_expires_at,
      u.id AS user_id, u.username, u.is_admin, u.is_root, u.roles
    FROM (SELECT *, used_at + ${interval(idleSeconds)} AS idle_end FROM sessions) s
      JOIN users u ON u.project_id = s.project_id AND u.id = s.user_id
      LEFT JOIN api_keys k ON k.project_id = s.project_id AND k.key_id = s.key_id
    WHERE ${isInProject} AND s.token_hash = ANY(${hashes}::bytea[])`);
  const found = rows.map((row) => ({ row, session: toSession(row) }));
  return {
    sessions: new Map(found.map(({ session }) => [session.id, session])),
    untouched: found
      .filter(({ row, session }) => row.is_untouched && session.failure === undefined)
      .map(({ session }) => session.id),
  };
}

const toSession = (row: Row): StoredSession => ({
  id: sessionIdText({ projectId: row.project_id, tokenHash: row.token_hash }),
  principal: {
    userId: row.user_id,
    username: row.username,
    homeProjectId: row.project_id,
    ...(row.oidc
      ? { isAdmin: false, isRoot: false, roles: [] }
      : { isAdmin: row.is_admin, isRoot: row.is_root, roles: row.roles }),
  },
  enteredProjectId: row.entered_project_id,
  key: row.key_id === null ? undefined : { id: row.key_id, expiresAt: row.key_expires_at },
  oidc: row.oidc ? { ...row.oidc, values: row.oidc.values ?? [] } : undefined,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  idleExpiresAt: row.idle_expires_at,
  failure: failureOf(row),
});

function failureOf(row: Row): AuthFailureReason | undefined {
  if (row.is_key_revoked) return 'revoked key';
  if (row.is_key_expired) return 'expired key';
  return row.is_expired ? 'expired session' : undefined;
}
