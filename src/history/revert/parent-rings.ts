import type { ChangeSet } from '../../changes/change-set';
import { list, sql } from '../../shared/persistence/sql';
import type { RecordedChange, RecordedObject } from './recorded-change';
import { cannotBeUndone, nameOf } from './revert-conflicts';
import { isDevice } from './revertible-kinds';

const rehung = (updated: readonly RecordedObject[]): RecordedObject[] =>
  updated.filter(({ kind, members }) => isDevice(kind) && members.includes('parent_id'));

/** Parents change one at a time within a project, as in every update of a device. */
export async function holdParents(
  change: ChangeSet,
  { projectId }: RecordedChange,
  updated: readonly RecordedObject[],
): Promise<void> {
  if (rehung(updated).length === 0) return;
  await change.tx.rows(sql`SELECT FROM projects p WHERE p.id = ${projectId} FOR NO KEY UPDATE`);
}

/** @throws InventoryError 409 if a device that has its old parent again is above it by now */
export async function requireNoRing(
  change: ChangeSet,
  recorded: RecordedChange,
  updated: readonly RecordedObject[],
): Promise<void> {
  const objects = rehung(updated);
  if (objects.length === 0) return;
  const { projectId } = recorded;
  const ids = list(objects.map(({ id }) => id));
  const rings = await change.tx.rows<{ id: number }>(sql`
    WITH RECURSIVE above (id, above_id) AS (
      SELECT d.id, d.parent_id FROM devices d WHERE d.project_id = ${projectId} AND d.id = ANY(${ids}::bigint[])
      UNION
      SELECT a.id, d.parent_id FROM above a JOIN devices d ON d.project_id = ${projectId} AND d.id = a.above_id
    ) SELECT DISTINCT id FROM above WHERE id = above_id ORDER BY id`);
  const details = rings.flatMap(({ id }) =>
    objects
      .filter((object) => object.id === id)
      .map((object) => ({
        field: 'parent_id',
        message: `of ${nameOf(object)} was a device that is below it by now`,
      })),
  );
  if (details.length > 0) throw cannotBeUndone(recorded, 'a device would be its own ancestor', details);
}
