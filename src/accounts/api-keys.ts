import { generateApiKey } from '../auth/identity/api-key';
import { deleteSessions } from '../auth/sessions/session-store';
import type { ChangeSet } from '../changes/change-set';
import { sql } from '../database/sql';

/** The user of a key. */
interface KeyOwner {
  readonly projectId: string;
  readonly id: number;
}

/** A condition: whether the key `t` is active. */
export const IS_ACTIVE = sql`t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now())`;

/**
 * Creates a key for a user and returns it. It cannot be read again.
 * @param expiresAt when the key expires, in UTC; undefined: never
 */
export async function issueKey(
  change: ChangeSet,
  user: KeyOwner,
  expiresAt?: string | null,
): Promise<string> {
  const { key, keyId, secretHash } = generateApiKey();
  const ends = expiresAt === undefined || expiresAt === null ? null : expiresAt.replace(/Z?$/, 'Z');
  await change.tx.execute(sql`INSERT INTO api_keys (project_id, user_id, key_id, secret_hash, expires_at)
    VALUES (${user.projectId}, ${user.id}, ${keyId}, decode(${secretHash.toString('hex')}, 'hex'), ${ends}::timestamptz)`);
  return key;
}

/**
 * Revokes keys of a user. @param keyId the key; undefined: all keys
 * @returns the ids of the keys that were not revoked before
 */
export async function revokeKeys(change: ChangeSet, user: KeyOwner, keyId?: string): Promise<string[]> {
  const isSelected = keyId === undefined ? sql`true` : sql`key_id = ${keyId}`;
  const revoked = await change.tx.rows<{ key_id: string }>(sql`UPDATE api_keys SET revoked_at = now()
    WHERE project_id = ${user.projectId} AND user_id = ${user.id} AND revoked_at IS NULL AND ${isSelected}
    RETURNING key_id`);
  return revoked.map(({ key_id }) => key_id);
}

/** Deletes the keys and the sessions of a user that is deleted. */
export async function deleteCredentials(change: ChangeSet, user: KeyOwner): Promise<void> {
  await change.tx.execute(
    sql`DELETE FROM api_keys WHERE project_id = ${user.projectId} AND user_id = ${user.id}`,
  );
  await deleteSessions(change.tx, user);
}
