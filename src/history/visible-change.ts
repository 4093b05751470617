import { accessSecretShape } from '../access-secrets/access-secret';
import { settingsShape } from '../accounts/settings/settings';
import { userShape } from '../accounts/user';
import { ADMIN, maySee, type RouteAccess } from '../auth/access';
import { auditShape } from '../governance/audits/audit';
import { variableDefinitionShape } from '../governance/definitions/variable-definition';
import type { RequestContext } from '../core/context/request-context';
import { isVisible } from '../database/visible-keys';
import { and, list, raw, sql, type Sql } from '../database/sql';
import { namesVisibleKeys, seenMembers } from '../database/resource-sql';
import type { ResourceShape } from '../database/resource-shape';

/** How much of a record is shown. */
export interface Extract {
  /** How many of its objects. */
  readonly most: number;
  /** A condition over `o` for the one that is shown whatever its place. */
  readonly always?: Sql;
}

/** What the change `t` did, resource by resource, as far as the caller may see it: the first of a record's objects. */
export function seenObjects(ctx: RequestContext, { most, always }: Extract): Sql {
  const objects = (condition: Sql, limit: number) => sql`(SELECT o.* FROM change_objects o
    WHERE o.project_id = t.project_id AND o.change_id = t.id AND ${seesObject(ctx)} AND ${condition}
    ORDER BY o.ordinal LIMIT ${limit})`;
  const shown = always
    ? sql`(${objects(always, 1)} UNION ALL ${objects(sql`NOT (${always})`, most - 1)})`
    : objects(sql`true`, most);
  return sql`(SELECT COALESCE(json_agg(${seenObject(ctx)} ORDER BY o.ordinal), '[]') FROM ${shown} o)`;
}

/** The object `o` of a record, as it is shown. */
export const seenObject = (ctx: RequestContext): Sql => sql`json_build_object('kind', o.kind,
  'id', COALESCE(to_json(o.object_id), to_json(o.project_id)), 'name', o.name, 'action', o.action,
  'before', ${seenSide(ctx, 'before')}, 'after', ${seenSide(ctx, 'after')}, 'variables', ${variables(ctx)})`;

/** How many resources the change `t` touched. Of one that was written part by part, it stands beside the record. */
export const seenTotal = (ctx: RequestContext): Sql => sql`COALESCE(
  (SELECT i.objects FROM change_impacts i WHERE i.project_id = t.project_id AND i.change_id = t.id),
  (SELECT count(*) FROM change_objects o
    WHERE o.project_id = t.project_id AND o.change_id = t.id AND ${seesObject(ctx)}))`;

/** Kinds that not everybody reads. Their records are shown to those who pass the access of their own routes. */
const restricted: readonly { readonly shape: ResourceShape; readonly reads: RouteAccess }[] = [
  { shape: accessSecretShape, reads: ADMIN },
  { shape: settingsShape, reads: ADMIN },
];

/** Whether the caller may read the kind of the object `o`; undefined if the caller may read every kind. */
function seesKind({ principal }: RequestContext): Sql | undefined {
  const hidden = restricted.filter(({ reads }) => !maySee(principal, reads)).map(({ shape }) => shape.kind);
  return hidden.length === 0 ? undefined : sql`o.kind <> ALL(${list(hidden)}::text[])`;
}

/** Whether the caller may see the record `row`: one that has an object of a kind that the caller may read. */
export function seesRecord(ctx: RequestContext, row: 't' | 'c' | 'l' = 't'): Sql {
  const seen = seesKind(ctx);
  if (!seen) return sql`true`;
  const record = raw(row);
  return sql`EXISTS (SELECT FROM change_objects o
    WHERE o.project_id = ${record}.project_id AND o.change_id = ${record}.id AND ${seen})`;
}

/** What names keys of variables in its own members. */
const naming: readonly ResourceShape[] = [variableDefinitionShape, auditShape];

/** Whether the caller may see the object `o` at all. */
export const seesObject = (ctx: RequestContext): Sql => and([seesKind(ctx) ?? sql`true`, seesNamedKeys(ctx)]);

/** Whether the object `o` names no key that is hidden from the caller. */
export function seesNamedKeys(ctx: RequestContext): Sql {
  const { visibility } = ctx;
  if (visibility.isWhole) return sql`true`;
  return and(
    naming.map(
      (shape) => sql`(o.kind <> ${shape.kind} OR (${namesVisibleKeys(shape, ctx, 'o.before')}
        AND ${namesVisibleKeys(shape, ctx, 'o.after')}))`,
    ),
  );
}

/** One side of the object `o`, without what tells of keys that are hidden from the caller. */
export function seenSide(ctx: RequestContext, column: 'before' | 'after'): Sql {
  const whole = raw(`o.${column}`);
  if (ctx.visibility.isWhole) return whole;
  return sql`CASE o.kind WHEN ${userShape.kind} THEN ${seenMembers(userShape, ctx, whole)} ELSE ${whole} END`;
}

function variables({ visibility }: RequestContext): Sql {
  if (visibility.isWhole) return sql`o.variables`;
  return sql`(SELECT COALESCE(jsonb_object_agg(v.key, v.value), '{}') FROM jsonb_each(o.variables) v
    WHERE ${isVisible(visibility, sql`v.key`)})`;
}

/**
 * For how many devices the change `t` altered a value; for those who do not see everything, by the variables that were
 * hidden from nobody. Null for records from before impacts were counted; and for those from before something became
 * private, whatever they altered: numbers that counted it would tell of it, and so would it to have none of them alone.
 */
export function seenImpact({ visibility }: RequestContext): Sql {
  const { hidden } = visibility;
  const told = (devices: Sql, everybody: Sql, hiding: Sql): Sql =>
    visibility.isWhole
      ? sql`CASE WHEN ${devices} IS NOT NULL THEN json_build_object('devices', ${devices}) END`
      : sql`CASE WHEN ${hiding} @> ${list(hidden.patterns)}::text[] THEN json_build_object('devices', ${everybody}) END`;
  // Of a change that was written part by part, it stands beside the record.
  return sql`CASE WHEN t.impact_devices IS NULL THEN (
      SELECT ${told(sql`i.devices`, sql`i.public`, sql`i.hiding`)} FROM change_impacts i
      WHERE i.project_id = t.project_id AND i.change_id = t.id)
    ELSE ${told(sql`t.impact_devices`, sql`t.impact_public`, sql`t.impact_hiding`)} END`;
}
