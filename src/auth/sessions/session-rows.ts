import type { CallerApiKey, Principal } from '../../core/context/request-context';
import type { Queryable } from '../../database/database';
import { timestampText } from '../../database/resource-shape';
import { arrayParameter, raw, sql, type Sql } from '../../database/sql';
import type { AuthFailureReason, CallerSession, OidcSession } from '../../http/request-state';
import { grantedPermissions } from '../identity/oidc/oidc-claims';
import { addressText, parseAddress } from './session-token';

/** A use is stored at most this often, in seconds, so that a session costs few writes. */
const MAX_TOUCH_SECONDS = 60;
/** With a short idle time, a use is stored more often: at most so many times within it. */
const TOUCHES_PER_IDLE_TIME = 10;

/** A session with its user. */
export interface StoredSession extends CallerSession {
  readonly principal: Principal;
  readonly enteredProjectId: string;
  /** The API key with which it was started; undefined after a sign-in with OpenID Connect. */
  readonly key: CallerApiKey | undefined;
  /** Why the session is not valid any more; undefined if it is valid. */
  readonly failure: AuthFailureReason | undefined;
}

/** Which sessions to read. */
export interface SessionsRead {
  readonly addresses: readonly string[];
  /** The project of all these sessions; undefined: several. */
  readonly projectId?: string;
  readonly idleSeconds: number;
}

interface Row {
  [column: string]: unknown;
  project_id: string;
  token_hash: string;
  entered_project_id: string;
  key_id: string | null;
  oidc: OidcSession | null;
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

export const interval = (seconds: number): Sql => sql`make_interval(secs => ${seconds}::float8)`;

/**
 * Reads sessions with their users and keys.
 * @returns the sessions by address, and the addresses of valid sessions whose use has to be stored
 */
export async function readSessions(
  on: Queryable,
  { addresses, projectId, idleSeconds }: SessionsRead,
): Promise<{ sessions: ReadonlyMap<string, StoredSession>; untouched: readonly string[] }> {
  const parsed = addresses.map(parseAddress);
  const projects = arrayParameter([...new Set(parsed.map((address) => address.projectId))]);
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
    sessions: new Map(found.map(({ session }) => [session.address, session])),
    untouched: found
      .filter(({ row, session }) => row.is_untouched && session.failure === undefined)
      .map(({ session }) => session.address),
  };
}

const toSession = (row: Row): StoredSession => ({
  address: addressText({ projectId: row.project_id, tokenHash: row.token_hash }),
  principal: {
    userId: row.user_id,
    username: row.username,
    homeProjectId: row.project_id,
    ...(row.oidc
      ? grantedPermissions(row.oidc.grants, row.project_id)
      : { isAdmin: row.is_admin, isRoot: row.is_root, roles: row.roles }),
  },
  enteredProjectId: row.entered_project_id,
  key: row.key_id === null ? undefined : { id: row.key_id, expiresAt: row.key_expires_at },
  oidc: row.oidc ?? undefined,
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
