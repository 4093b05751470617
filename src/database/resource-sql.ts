import { and, join, raw, sql, type Sql } from './sql';
import type { ProjectScope, RequestContext } from '../core/context/request-context';
import { isVisible } from './visible-keys';
import type { ResourceShape, TableShape } from './resource-shape';

/** What is needed of a shape to show it. */
type ShownShape = Pick<ResourceShape, 'kind' | 'fields'>;

/**
 * SQL that builds the named members of `t` as one JSON text. The database writes the JSON, and it is passed through
 * as text: no member is turned into a JavaScript value and back on the way, and no digit is lost.
 * @param ctx who it is for; without it, nobody in particular, as for change records
 */
export function jsonOf(shape: ShownShape, members: readonly string[], ctx?: RequestContext): Sql {
  if (members.length === 0) return sql`'{}'`;
  const columns = members.map((member) => {
    const field = fieldOf(shape, member);
    const value = raw(field.sql);
    return sql`${ctx && field.seenBy ? field.seenBy(ctx, value) : value} AS ${raw(`"${member}"`)}`;
  });
  return sql`(SELECT row_to_json(members)::text FROM (SELECT ${join(columns)}) members)`;
}

/** The members of a resource as a change record has them, a `jsonb`, as they are shown to one caller. */
export function visibleMembersOf(shape: ShownShape, ctx: RequestContext, members: Sql): Sql {
  return membersSeenApart(shape).reduce(
    (seen, [member, seenBy]) =>
      sql`jsonb_set(${seen}, ARRAY[${member}], ${seenBy(ctx, sql`${members} -> ${member}`)}, false)`,
    members,
  );
}

/** Whether there is any member that does not look the same to everybody. */
export const hasHiddenMembers = (shape: ShownShape): boolean => membersSeenApart(shape).length > 0;

const membersSeenApart = ({ fields }: ShownShape) =>
  Object.entries(fields).flatMap(([member, { seenBy }]) => (seenBy ? [[member, seenBy] as const] : []));

/** The members that are the resource's own: what a change record holds of it. */
export function ownMembers(shape: ResourceShape): string[] {
  return Object.entries(shape.fields)
    .filter(([, field]) => field.derived !== true)
    .map(([member]) => member);
}

function fieldOf(shape: ShownShape, member: string) {
  const field = shape.fields[member];
  if (!field) throw new Error(`${shape.kind} has no member ${member}`);
  return field;
}

/** The rows of this kind, where the table holds several. */
export const ofKind = (shape: TableShape): Sql => (shape.only === undefined ? sql`true` : raw(shape.only));

/** The ids of all projects that a table may have rows of, as a query for the column `project_id`. */
export const projectsOf = ({ projects = 'SELECT id AS project_id FROM projects' }: TableShape): Sql =>
  raw(projects);

/** The projects in scope, as rows `s (project_id)`: each is then looked through by indexes that begin with it. */
export const projectRows = (shape: TableShape, scope: ProjectScope): Sql =>
  scope === 'every project'
    ? sql`(${projectsOf(shape)}) AS s`
    : sql`(SELECT ${scope.project}::uuid AS project_id) AS s`;

/** The rows of this kind in the projects in scope. */
export function inScope(shape: TableShape, scope: ProjectScope): Sql {
  const only = ofKind(shape);
  // "Every project" is spelled out as the list of projects, so that the indexes, which all begin with one, serve.
  return scope === 'every project'
    ? sql`t.project_id IN (${projectsOf(shape)}) AND ${only}`
    : sql`t.project_id = ${scope.project} AND ${only}`;
}

/**
 * Whether the caller may see all keys of variables that a resource names; with them, the resource itself.
 * @param row its row as `jsonb`: a constant of the project's own
 */
export function hasVisibleKeys(
  { namesKeys }: ResourceShape,
  { visibility }: RequestContext,
  row = 'to_jsonb(t)',
): Sql {
  if (!namesKeys || visibility.isWhole) return sql`true`;
  return sql`NOT EXISTS (SELECT FROM unnest(${raw(namesKeys(row))}) AS named (key)
    WHERE NOT ${isVisible(visibility, sql`named.key`)})`;
}

/** Conditions over the row `t` of a resource for those that the caller may see; none where a project's members see all. */
export function readConditions(shape: ResourceShape, ctx: RequestContext): Sql[] {
  const conditions: Sql[] = [];
  if (shape.namesKeys) conditions.push(hasVisibleKeys(shape, ctx));
  if (shape.readableBy) conditions.push(shape.readableBy(ctx));
  return conditions;
}

/** Whether the caller may see the row `t` of a resource, of those in the projects in scope. */
export const isReadable = (shape: ResourceShape, ctx: RequestContext): Sql => and(readConditions(shape, ctx));

export const from = (shape: TableShape): Sql => sql`FROM ${raw(shape.table)} t`;
