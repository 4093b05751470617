import type { ProjectScope } from '../core/context/request-context';
import { membersStatement } from '../list/page-statements';
import { sql, type Sql } from '../database/sql';
import type { TableShape } from '../database/resource-shape';
import type { ListSelection } from '../resources/resource-definition';

/** Devices of all kinds: a descendant can be of another kind than its ancestor. */
const allDevices: TableShape = { table: 'devices' };

/** Adds all descendants of the selected devices to a selection. */
export function widenToDescendants(scope: ProjectScope, selection: ListSelection): ListSelection {
  const isWhole = selection.conditions.length === 0 && selection.branches === undefined;
  // A selection of all devices already includes their descendants.
  if (isWhole) return selection;
  const selected = membersStatement({ shape: allDevices, scope, ...selection });
  const members =
    scope === 'every project' ? acrossProjects(selected) : levelByLevel(selected, scope.project);
  return { conditions: [], members };
}

/**
 * Reads the tree level by level: one index scan finds the children of all devices of a level, instead of one search per
 * device. Selected devices are excluded from later levels, so that no device is returned twice.
 */
function levelByLevel(selected: Sql, project: string): Sql {
  return sql`WITH RECURSIVE selected AS MATERIALIZED (SELECT DISTINCT id FROM (${selected}) AS rows),
    levels (ids) AS (
      SELECT ARRAY(SELECT id FROM selected)
      UNION ALL
      SELECT ARRAY(SELECT c.id FROM devices c
        WHERE c.project_id = ${project} AND c.parent_id = ANY(levels.ids)
          AND NOT EXISTS (SELECT FROM selected WHERE selected.id = c.id))
      FROM levels WHERE levels.ids <> '{}'
    ) SELECT ${project}::uuid AS project_id, found.id FROM levels, unnest(levels.ids) AS found (id)`;
}

/** Uses UNION instead of UNION ALL, because a selected device can be a descendant of another selected device. */
function acrossProjects(selected: Sql): Sql {
  return sql`WITH RECURSIVE tree (project_id, id) AS (
      SELECT project_id, id FROM (${selected}) AS selected
      UNION
      SELECT c.project_id, c.id FROM tree JOIN devices c
        ON c.project_id = tree.project_id AND c.parent_id = tree.id
    ) SELECT project_id, id FROM tree`;
}
