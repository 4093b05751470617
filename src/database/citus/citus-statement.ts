import type { Statement } from '../queryable';
import { RECORDED_PROJECTS } from '../tables';

/** The same as `RECORDED_PROJECTS`: Citus has no recursive queries over all nodes, so each node reads all its records. */
const RECORDED_PROJECTS_OF_NODES = 'SELECT DISTINCT project_id FROM changes';

/** Comparisons of a column `project_id` with a parameter, and parameters that are selected as one. */
const PARAMETER = /\bproject_id = \$(\d+)\b|\$(\d+)::uuid AS project_id\b/g;
/** A comparison of the projects of two tables. */
const SAME_PROJECT = /\b(\w+\.project_id) = (\w+\.project_id)\b/g;

/** Adapts a statement for PostgreSQL to Citus. */
export const citusStatement = (statement: Statement): Statement => ({
  text: routeToProject(statement).replaceAll(RECORDED_PROJECTS, RECORDED_PROJECTS_OF_NODES),
  values: statement.values,
});

/**
 * Restricts each table of a statement about one project by the project itself. Citus sends a statement to the project's
 * node only if it can see that no table has rows elsewhere. PostgreSQL derives that for the joins of one query, but not
 * for correlated subqueries, whose `a.project_id = t.project_id` it does not look through. The result only has additional
 * conditions, so it can never contain rows of further projects. A statement that names one project must be about it in all
 * its parts, or rows of other parts would be lost.
 * @returns the statement's text; unchanged if the statement is not about exactly one project
 */
function routeToProject({ text, values }: Statement): string {
  let parameter: string | undefined;
  for (const [, compared, selected] of text.matchAll(PARAMETER)) {
    const number = compared ?? selected;
    if (parameter === undefined) parameter = number;
    else if (values[Number(number) - 1] !== values[Number(parameter) - 1]) return text;
  }
  if (parameter === undefined || typeof values[Number(parameter) - 1] !== 'string') return text;
  return text.replace(SAME_PROJECT, `$1 = $$${parameter} AND $2 = $$${parameter} AND $&`);
}
