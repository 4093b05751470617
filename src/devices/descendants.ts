import type { ProjectScope } from '../core/context/request-context';
import { membersStatement } from '../list/page-statements';
import { sql, type Sql } from '../database/sql';
import type { TableShape } from '../database/resource-shape';
import type { ListSelection } from '../resources/resource-definition';

/** The rows of the devices table, whatever their kind: what hangs below a device may be of another kind. */
const everyKind: TableShape = { table: 'devices' };

/** Widens a selection by everything below what it selects. */
export function widenToDescendants(scope: ProjectScope, selection: ListSelection): ListSelection {
  const isWhole = selection.conditions.length === 0 && selection.branches === undefined;
  // Everything is selected already, and what is below it, too.
  if (isWhole) return selection;
  const selected = membersStatement({ shape: everyKind, scope, ...selection });
  const members =
    scope === 'every project' ? throughProjects(selected) : levelByLevel(selected, scope.project);
  return { conditions: [], members };
}

/**
 * Level by level: the children of all devices of a level are found by one scan of the index, where one by one each took
 * a search of its own. What is selected itself is not found again below something else that is: so a level holds nothing
 * that an earlier one has.
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

/** UNION, not UNION ALL: what is selected may itself be below something selected. */
function throughProjects(selected: Sql): Sql {
  return sql`WITH RECURSIVE tree (project_id, id) AS (
      SELECT project_id, id FROM (${selected}) AS selected
      UNION
      SELECT c.project_id, c.id FROM tree JOIN devices c
        ON c.project_id = tree.project_id AND c.parent_id = tree.id
    ) SELECT project_id, id FROM tree`;
}
