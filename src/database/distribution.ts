import { sql } from './sql';

/** Whether this is a Citus database, whose tables are distributed by `muster-admin distribute`. */
export const IS_DISTRIBUTED = sql`SELECT to_regclass('pg_dist_partition') IS NOT NULL AS is_distributed`;

/**
 * Settings of a transaction in a distributed database. It uses one connection to each node: with several, it could not
 * write to `projects`, which is on all nodes, after it has read or written other tables. A lock on a project does not
 * need the first node, which would only protect it from writes through other nodes than the coordinator.
 */
export const TRANSACTION_SETTINGS = sql`SELECT set_config('citus.multi_shard_modify_mode', 'sequential', true),
  set_config('citus.allow_modifications_from_workers_to_replicated_tables', 'off', true)`;

/** The number of nodes, and of those that cannot be reached. */
export interface NodeCounts {
  readonly nodes: number;
  readonly unreachable: number;
}

/** Counts the nodes with projects. Connecting to one that does not respond takes up to 30 seconds. */
export const NODE_COUNTS = sql`SELECT count(*) AS nodes, count(*) FILTER (WHERE NOT success) AS unreachable
  FROM run_command_on_workers('SELECT 1')`;

/** The ids of all projects with records, including deleted projects. Each costs one index lookup. */
export const RECORDED_PROJECTS = `
  WITH RECURSIVE recorded (project_id) AS (
    (SELECT project_id FROM changes ORDER BY project_id LIMIT 1)
    UNION ALL
    SELECT (SELECT c.project_id FROM changes c WHERE c.project_id > recorded.project_id ORDER BY c.project_id LIMIT 1)
    FROM recorded WHERE recorded.project_id IS NOT NULL
  ) SELECT project_id FROM recorded WHERE project_id IS NOT NULL`;

/** The same for a distributed database, which has no recursive queries over all nodes: each reads all its records. */
const RECORDED_PROJECTS_OF_NODES = 'SELECT DISTINCT project_id FROM changes';

/** Comparisons of a column `project_id` with a parameter, and parameters that are selected as one. */
const PARAMETER = /\bproject_id = \$(\d+)\b|\$(\d+)::uuid AS project_id\b/g;
/** A comparison of the projects of two tables. */
const CORRELATION = /\b(\w+)\.project_id = \w+\.project_id\b/g;

/** The text of a statement for a distributed database. */
export const distributedText = (text: string, values: readonly unknown[]): string =>
  routeToProject(text, values).replaceAll(RECORDED_PROJECTS, RECORDED_PROJECTS_OF_NODES);

/**
 * Restricts each table of a statement about one project by the project itself. A distributed database (Citus) sends a
 * statement to the project's node only if it can see that no table has rows elsewhere. PostgreSQL derives that for the
 * joins of one query, but not for correlated subqueries, whose `a.project_id = t.project_id` it does not look through.
 * The result only has additional conditions, so it can never contain rows of further projects. A statement that names one
 * project must be about it in all its parts, or rows of other parts would be lost.
 * @returns the statement's text; unchanged if the statement is not about exactly one project
 */
export function routeToProject(text: string, values: readonly unknown[]): string {
  let parameter: string | undefined;
  for (const [, compared, selected] of text.matchAll(PARAMETER)) {
    const number = compared ?? selected;
    if (parameter === undefined) parameter = number;
    else if (values[Number(number) - 1] !== values[Number(parameter) - 1]) return text;
  }
  if (parameter === undefined || typeof values[Number(parameter) - 1] !== 'string') return text;
  return text.replace(CORRELATION, `$1.project_id = $$${parameter} AND $&`);
}
