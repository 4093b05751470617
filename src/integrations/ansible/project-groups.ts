import type { Queryable } from '../../database/database';
import { list, sql } from '../../database/sql';
import { nameGroups, type Group } from './group-names';

/**
 * Reads the names of all groups that hosts of a project can be in, by group key. The filters of the inventory are
 * ignored, so that a group has the same name in all inventories.
 */
export async function groupsOfProject(
  on: Queryable,
  projectId: string,
): Promise<ReadonlyMap<string, string>> {
  const groups = await on.rows<Group & Record<string, unknown>>(sql`
    SELECT 'region' AS kind, r.id, ARRAY[r.name] AS names FROM regions r WHERE r.project_id = ${projectId}
    UNION ALL
    SELECT 'cell', c.id, ARRAY[r.name, c.name] FROM cells c
      JOIN regions r ON r.project_id = c.project_id AND r.id = c.region_id WHERE c.project_id = ${projectId}
    UNION ALL
    SELECT 'label', l.id, ARRAY[l.label] FROM labels l WHERE l.project_id = ${projectId}`);
  return nameGroups(groups, async (names) => {
    const hosts = await on.rows<{ name: string }>(sql`SELECT t.name FROM devices t
      WHERE t.project_id = ${projectId} AND t.name = ANY(${list(names)}::text[]) AND t.kind = 'host'`);
    return hosts.map(({ name }) => name);
  });
}
