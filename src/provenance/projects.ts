import type { ProjectScope } from '../shared/context/request-context';
import { raw, sql, type Sql } from '../shared/persistence/sql';

/** The projects in scope, as rows `s (project_id)`: each is then looked through by indexes that begin with it. */
export const projectsIn = (scope: ProjectScope): Sql =>
  scope === 'every project'
    ? raw('(SELECT id AS project_id FROM projects) AS s')
    : sql`(SELECT ${scope.project}::uuid AS project_id) AS s`;
