import { KEYSTONE_NAME } from '../../accounts/keystone-registrar';
import { userShape } from '../../accounts/user';
import type { ChangeSet } from '../../changes/change-set';
import { list, sql } from '../../database/sql';
import type { RecordedChange, RecordedObject } from './recorded-change';
import { cannotBeUndone, nameOf } from './revert-conflicts';

/**
 * Who a user is in Keystone is on no record. Without it he would come back as a user of Muster's own, who can be given keys
 * and rights, and so a way in past Keystone. Whether it is one tells the record of how he was made.
 * @throws InventoryError 409
 */
export async function requireNoForeignUser(
  change: ChangeSet,
  recorded: RecordedChange,
  deleted: readonly RecordedObject[],
): Promise<void> {
  const users = deleted.filter(({ kind }) => kind.shape === userShape);
  if (users.length === 0) return;
  const made = await change.tx.rows<{ id: number }>(sql`SELECT o.object_id AS id
    FROM change_objects o JOIN changes c ON c.project_id = o.project_id AND c.id = o.change_id
    WHERE o.project_id = ${recorded.projectId} AND o.kind = ${userShape.kind} AND o.action = 'create'
      AND o.object_id = ANY(${list(users.map(({ id }) => id))}::bigint[])
      AND c.actor_id IS NULL AND c.actor_username = ${KEYSTONE_NAME}`);
  const foreign = users.find(({ id }) => made.some((user) => user.id === id));
  if (!foreign) return;
  throw cannotBeUndone(
    recorded,
    `${nameOf(foreign)} came from Keystone, and is made again when Keystone lets it in`,
  );
}
