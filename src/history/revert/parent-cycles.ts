import type { ChangeSet } from '../../changes/change-set';
import { list, sql } from '../../database/sql';
import { MOST_TOLD } from './later-changes';
import type { RecordedChange, RecordedObject } from './recorded-change';
import { cannotBeUndone, nameOf } from './revert-conflicts';
import { isDevice } from './revertible-kinds';

/** Whether the revert changes the parent of a device. */
export const isRehung = ({ kind, members }: RecordedObject): boolean =>
  isDevice(kind) && members.includes('parent_id');

/** @throws InventoryError 409 if a device that gets its former parent back would become its own ancestor */
export async function requireNoRing(
  change: ChangeSet,
  recorded: RecordedChange,
  updated: readonly RecordedObject[],
): Promise<void> {
  const objects = updated.filter(isRehung);
  if (objects.length === 0) return;
  const { projectId } = recorded;
  const ids = list(objects.map(({ id }) => id));
  const cycles = await change.tx.rows<{ id: number }>(sql`
    WITH RECURSIVE above (id, above_id) AS (
      SELECT d.id, d.parent_id FROM devices d WHERE d.project_id = ${projectId} AND d.id = ANY(${ids}::bigint[])
      UNION
      SELECT a.id, d.parent_id FROM above a JOIN devices d ON d.project_id = ${projectId} AND d.id = a.above_id
    ) SELECT DISTINCT id FROM above WHERE id = above_id ORDER BY id LIMIT ${MOST_TOLD.fields}`);
  const details = cycles.flatMap(({ id }) =>
    objects
      .filter((object) => object.id === id)
      .map((object) => ({
        field: 'parent_id',
        message: `the former parent of ${nameOf(object)} is now a descendant of it`,
      })),
  );
  if (details.length > 0) throw cannotBeUndone(recorded, 'a device would be its own ancestor', details);
}
