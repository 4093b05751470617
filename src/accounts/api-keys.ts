import { generateApiKey } from '../auth/identity/api-key';
import type { ChangeSet } from '../changes/change-set';
import { sql } from '../database/sql';

/** Whose key it is. */
interface Holder {
  readonly projectId: string;
  readonly id: number;
}

/** Whether the key `t` works. */
export const IS_ACTIVE = sql`t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now())`;

/**
 * Gives a user a new key and answers it: the only time that it can be seen.
 * @param expiresAt the time in UTC when it ends; without it, never
 */
export async function issueKey(change: ChangeSet, user: Holder, expiresAt?: string | null): Promise<string> {
  const { key, keyId, secretHash } = generateApiKey();
  const ends = expiresAt === undefined || expiresAt === null ? null : expiresAt.replace(/Z?$/, 'Z');
  await change.tx.execute(sql`INSERT INTO api_keys (project_id, user_id, key_id, secret_hash, expires_at)
    VALUES (${user.projectId}, ${user.id}, ${keyId}, decode(${secretHash.toString('hex')}, 'hex'), ${ends}::timestamptz)`);
  return key;
}

/**
 * Ends keys of a user. @param keyId only this one; without it, all
 * @returns the ids of those that were in use
 */
export async function revokeKeys(change: ChangeSet, user: Holder, keyId?: string): Promise<string[]> {
  const which = keyId === undefined ? sql`true` : sql`key_id = ${keyId}`;
  const ended = await change.tx.rows<{ key_id: string }>(sql`UPDATE api_keys SET revoked_at = now()
    WHERE project_id = ${user.projectId} AND user_id = ${user.id} AND revoked_at IS NULL AND ${which}
    RETURNING key_id`);
  return ended.map(({ key_id }) => key_id);
}

/** Removes the keys of a user who is deleted. */
export async function deleteKeys(change: ChangeSet, user: Holder): Promise<void> {
  await change.tx.execute(
    sql`DELETE FROM api_keys WHERE project_id = ${user.projectId} AND user_id = ${user.id}`,
  );
}
