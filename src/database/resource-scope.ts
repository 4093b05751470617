import type { OneProject, ProjectScope, RequestContext } from '../core/context/request-context';
import { RECORDED_PROJECTS } from './distribution';
import { ofKind, projectsOf } from './resource-sql';
import type { Database } from './database';
import type { Queryable } from './queryable';
import type { ResourceShape } from './resource-shape';
import { raw, sql, type Sql } from './sql';

/**
 * The projects that a read of one resource concerns: the caller's project, or for a root user, who sees all projects,
 * the project of the resource. So the statement that reads it concerns one project; in a distributed database only such
 * statements go to one node.
 */
export async function scopeOfResource(
  ctx: RequestContext,
  shape: ResourceShape,
  id: number | string,
  on: Queryable,
): Promise<OneProject> {
  // A resource that does not exist is in no project.
  return { project: (await projectOfResource(ctx, shape, id, on)) ?? ctx.projectId };
}

/**
 * The scopes to read a list in, one after the other. A distributed database only supports statements about one project,
 * except for the table of projects itself, which is on every node.
 */
export async function listedScopes(
  shape: ResourceShape,
  scope: ProjectScope,
  database: Database,
): Promise<ProjectScope[]> {
  if (scope !== 'every project' || shape.idType === 'uuid' || !(await database.isDistributed()))
    return [scope];
  const rows = await database.rows<{ project_id: string }>(projectsOf(shape));
  return rows.map(({ project_id: project }) => ({ project }));
}

/** The project of a resource that the caller may see; undefined if a root user asks for one that does not exist. */
export const projectOfResource = (
  ctx: RequestContext,
  shape: ResourceShape,
  id: number | string,
  on: Queryable,
): Promise<string | undefined> =>
  findProject(
    ctx,
    on,
    shape,
    id,
    sql`${raw(shape.table)} t WHERE ${ofKind(shape)} AND t.id = ${id}::${raw(shape.idType)}`,
    projectsOf(shape),
  );

/** Like `scopeOfResource`, for a read of a past state: the resource may be deleted, too. */
export async function scopeOfRecords(
  ctx: RequestContext,
  shape: ResourceShape,
  id: number | string,
  on: Queryable,
): Promise<OneProject> {
  const project = await findProject(
    ctx,
    on,
    shape,
    id,
    sql`change_objects t WHERE t.kind = ${shape.kind}
      AND t.object_id = ${shape.idType === 'uuid' ? null : id}::bigint`,
    raw(RECORDED_PROJECTS),
  );
  return { project: project ?? ctx.projectId };
}

async function findProject(
  ctx: RequestContext,
  on: Queryable,
  shape: ResourceShape,
  id: number | string,
  rows: Sql,
  projects: Sql,
): Promise<string | undefined> {
  if (!ctx.principal.isRoot) return ctx.projectId;
  if (shape.idType === 'uuid') return String(id);
  // All indexes begin with the project.
  const [row] = await on.rows<{ project_id: string }>(
    sql`SELECT t.project_id FROM ${rows} AND t.project_id IN (${projects}) LIMIT 1`,
  );
  return row?.project_id;
}
