import type { ChangeSet } from '../changes/change-set';
import type { LockedResource, Snapshot } from '../changes/resource-snapshot';
import { InventoryError } from '../core/errors';
import { sql } from '../database/sql';
import { IS_ACTIVE, type RevokedKey } from './api-keys';

/** Whether a user, as read from the database, is a root user. */
export const isRoot = (user: Pick<Snapshot, 'members'>): boolean =>
  (JSON.parse(user.members) as { is_root: boolean }).is_root;

/** The id of an advisory lock. Concurrent deletions and demotions of root users wait for it. */
const ROOTS_LOCK = 7_780_003;

/**
 * A deployment without a root user could never get one again. The check uses an advisory lock, because Citus cannot
 * lock rows of several projects.
 * @throws InventoryError 409 if the user is the last one
 */
export async function requireAnotherRoot(change: ChangeSet, user: LockedResource): Promise<void> {
  const roots = await lockedRoots(change);
  if (roots.some((id) => id !== user.id)) return;
  throw new InventoryError('conflict', `The user ${user.name} is the last root user.`);
}

/**
 * Checks a change after it has deleted or demoted several root users, of which none alone was the last one.
 * @throws InventoryError 409 if no root user is left
 */
export async function assertRootLeft(change: ChangeSet): Promise<void> {
  if ((await lockedRoots(change)).length > 0) return;
  throw new InventoryError('conflict', 'The change would delete or demote every root user.');
}

/** The ids of all root users. Only this transaction deletes or demotes one until it ends. */
async function lockedRoots(change: ChangeSet): Promise<number[]> {
  await change.tx.rows(sql`SELECT pg_advisory_xact_lock(${ROOTS_LOCK})`);
  const roots = await change.tx.rows<{ id: number }>(sql`
    SELECT t.id FROM users t WHERE t.project_id IN (SELECT id FROM projects) AND t.is_root`);
  return roots.map(({ id }) => id);
}

/**
 * Without an active key, no root user could create another one through the API. That includes the time when the keys that
 * are left have expired, if a key that never expires was there before.
 * @param revoked the keys of the user that were just revoked
 * @throws InventoryError 409
 */
export async function requireRootKey(
  change: ChangeSet,
  user: LockedResource,
  revoked: readonly RevokedKey[],
): Promise<void> {
  if (revoked.length === 0 || !isRoot(user)) return;
  await change.tx.rows(sql`SELECT pg_advisory_xact_lock(${ROOTS_LOCK})`);
  const left = await change.tx.rows<{ isUnlimited: boolean }>(sql`
    SELECT t.expires_at IS NULL AS "isUnlimited"
    FROM users u JOIN api_keys t ON t.project_id = u.project_id AND t.user_id = u.id
    WHERE u.project_id IN (SELECT id FROM projects) AND u.is_root AND ${IS_ACTIVE}
    ORDER BY t.expires_at DESC LIMIT 1`);
  if (left.length === 0)
    throw new InventoryError('conflict', 'It is the last key of a root user: create a new one first.');
  const lostUnlimited = revoked.some(({ isUnlimited }) => isUnlimited);
  if (lostUnlimited && left[0]?.isUnlimited !== true)
    throw new InventoryError(
      'conflict',
      'It is the last key of a root user that does not expire, and all others do: create one that does not expire first.',
    );
}
