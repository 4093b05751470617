import type { OneProject, RequestContext } from '../core/context/request-context';
import { ofKind, projectsOf } from './resource-sql';
import type { Queryable } from './queryable';
import type { ResourceMapping } from './resource-mapping';
import { raw, sql, type Sql } from './sql';
import { RECORDED_PROJECTS } from './tables';

/**
 * The projects that a read of one resource concerns: the caller's project, or for a root user, who sees all projects,
 * the project of the resource. So the statement that reads it concerns one project.
 */
export async function scopeOfResource(
  ctx: RequestContext,
  mapping: ResourceMapping,
  id: number | string,
  on: Queryable,
): Promise<OneProject> {
  // A resource that does not exist is in no project.
  return { project: (await projectOfResource(ctx, mapping, id, on)) ?? ctx.projectId };
}

/** The project of a resource that the caller may see; undefined if a root user asks for one that does not exist. */
export const projectOfResource = (
  ctx: RequestContext,
  mapping: ResourceMapping,
  id: number | string,
  on: Queryable,
): Promise<string | undefined> =>
  findProject(
    ctx,
    on,
    mapping,
    id,
    sql`${raw(mapping.table)} t WHERE ${ofKind(mapping)} AND t.id = ${id}::${raw(mapping.idType)}`,
    projectsOf(mapping),
  );

/** Like `scopeOfResource`, for a read of a past state: the resource may be deleted, too. */
export async function scopeOfRecords(
  ctx: RequestContext,
  mapping: ResourceMapping,
  id: number | string,
  on: Queryable,
): Promise<OneProject> {
  const project = await findProject(
    ctx,
    on,
    mapping,
    id,
    sql`change_objects t WHERE t.kind = ${mapping.kind}
      AND t.object_id = ${mapping.idType === 'uuid' ? null : id}::bigint`,
    raw(RECORDED_PROJECTS),
  );
  return { project: project ?? ctx.projectId };
}

async function findProject(
  ctx: RequestContext,
  on: Queryable,
  mapping: ResourceMapping,
  id: number | string,
  rows: Sql,
  projects: Sql,
): Promise<string | undefined> {
  if (!ctx.principal.isRoot) return ctx.projectId;
  if (mapping.idType === 'uuid') return String(id);
  // All indexes begin with the project.
  const [row] = await on.rows<{ project_id: string }>(
    sql`SELECT t.project_id FROM ${rows} AND t.project_id IN (${projects}) LIMIT 1`,
  );
  return row?.project_id;
}
