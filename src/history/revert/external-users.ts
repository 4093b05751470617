import { KEYSTONE_NAME } from '../../accounts/keystone-registrar';
import { userShape } from '../../accounts/user';
import type { ChangeSet } from '../../changes/change-set';
import { list, sql } from '../../database/sql';
import type { RecordedChange, RecordedObject } from './recorded-change';
import { cannotBeUndone, nameOf } from './revert-conflicts';

/**
 * Rejects recreating a user that came from Keystone. Change records do not contain a user's Keystone id. Without it, the
 * user would become a local one, and admins could give it keys and roles that bypass Keystone. The record of the user's
 * creation shows whether the user came from Keystone.
 * @throws InventoryError 409
 */
export async function requireNoForeignUser(
  change: ChangeSet,
  recorded: RecordedChange,
  deleted: readonly RecordedObject[],
): Promise<void> {
  const users = deleted.filter(({ kind }) => kind.shape === userShape);
  if (users.length === 0) return;
  const fromKeystone = await change.tx.rows<{ id: number }>(sql`SELECT o.object_id AS id
    FROM change_objects o JOIN changes c ON c.project_id = o.project_id AND c.id = o.change_id
    WHERE o.project_id = ${recorded.projectId} AND o.kind = ${userShape.kind} AND o.action = 'create'
      AND o.object_id = ANY(${list(users.map(({ id }) => id))}::bigint[])
      AND c.actor_id IS NULL AND c.actor_username = ${KEYSTONE_NAME}`);
  const external = users.find(({ id }) => fromKeystone.some((user) => user.id === id));
  if (!external) return;
  throw cannotBeUndone(
    recorded,
    `${nameOf(external)} came from Keystone and is recreated when it next authenticates with Keystone`,
  );
}
