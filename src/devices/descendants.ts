import type { ProjectScope } from '../shared/context/request-context';
import { membersStatement } from '../shared/list/list-engine';
import { sql, type Sql } from '../shared/persistence/sql';
import type { TableShape } from '../shared/resources/resource-shape';
import type { Selection } from '../resources/listing';

/** The rows of the devices table, whatever their kind: what hangs below a device may be of another kind. */
const everyKind: TableShape = { table: 'devices' };

/**
 * Widens a selection by everything below what it selects. The recursion stays within the project in both its arms:
 * a parent is always of the same project, and saying so lets the index serve.
 */
export function widenToDescendants(scope: ProjectScope, selection: Selection): Selection {
  const isWhole = selection.conditions.length === 0 && selection.branches === undefined;
  // Everything is selected already, and what is below it, too.
  if (isWhole) return selection;
  const selected = membersStatement({ shape: everyKind, scope, ...selection });
  return { conditions: [sql`t.id IN (${descendantsOf(selected, scope)})`] };
}

function descendantsOf(selected: Sql, scope: ProjectScope): Sql {
  const ofProject = scope === 'every project' ? sql`true` : sql`c.project_id = ${scope.project}`;
  // UNION, not UNION ALL: what is selected may itself be below something selected.
  return sql`WITH RECURSIVE tree (project_id, id) AS (
      SELECT project_id, id FROM (${selected}) AS selected
      UNION
      SELECT c.project_id, c.id FROM tree JOIN devices c
        ON c.project_id = tree.project_id AND c.parent_id = tree.id AND ${ofProject}
    ) SELECT id FROM tree`;
}
