import type { ProjectScope } from '../core/context/request-context';
import { arrayParameter, raw, sql, type Sql } from './sql';
import { RECORDED_PROJECTS } from './tables';

/** The projects of a list. */
export type ListedProjects = ProjectScope | readonly string[];

/** A deleted resource, by its change records. */
interface DeletedResource {
  /** Its possible kinds, as in change records. */
  readonly kinds: readonly string[];
  /** Where it was. */
  readonly projects: ListedProjects;
  /** The UUID for a project. */
  readonly id: number | string;
  readonly idType: 'bigint' | 'uuid';
  /** A condition over its record `t (project_id, id, before)`. Absent: all records. */
  readonly readable?: Sql;
}

/** A query that has one row if the resource was deleted, and otherwise none. */
export function deletionOf({ kinds, projects, id, idType, readable = sql`true` }: DeletedResource): Sql {
  const isResource =
    idType === 'uuid'
      ? sql`o.project_id = ${id}::uuid AND o.object_id IS NULL`
      : sql`o.object_id = ${id}::bigint`;
  return sql`SELECT FROM (
      SELECT o.project_id, ${idType === 'uuid' ? sql`o.project_id` : sql`o.object_id`} AS id, o.action, o.before
      FROM change_objects o
      WHERE ${recordsIn(projects)} AND o.kind = ANY(${arrayParameter(kinds)}::text[]) AND ${isResource}
      ORDER BY o.change_id DESC, o.ordinal DESC LIMIT 1
    ) t WHERE t.action = 'delete' AND ${readable}`;
}

function recordsIn(projects: DeletedResource['projects']): Sql {
  if (projects === 'every project') return sql`o.project_id IN (${raw(RECORDED_PROJECTS)})`;
  if ('project' in projects) return sql`o.project_id = ${projects.project}`;
  return sql`o.project_id = ANY(${arrayParameter(projects)}::uuid[])`;
}
