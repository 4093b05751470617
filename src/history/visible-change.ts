import { accessSecretMapping } from '../access-secrets/access-secret.entity';
import { settingsMapping } from '../accounts/settings/settings.entity';
import { userMapping } from '../accounts/user.entity';
import { ADMIN, hasAccess, type RouteAccess } from '../auth/access';
import { auditMapping } from '../governance/audits/audit.entity';
import { variableDefinitionMapping } from '../governance/definitions/variable-definition.entity';
import { proposalMapping } from '../proposals/proposal.entity';
import type { RequestContext } from '../core/context/request-context';
import { and, arrayParameter, raw, sql, type Sql } from '../database/sql';
import { hasVisibleKeys, visibleMembersOf, isVisible, withShownTimes } from '../database/resource-sql';
import { versionFields, type ResourceMapping } from '../database/resource-mapping';

/** Selects the objects of a record to show. */
export interface ObjectSelection {
  /** The maximum number of objects. */
  readonly maxObjects: number;
  /** A condition on `o` for one object that is always included. */
  readonly pinned?: Sql;
}

/** The first objects of the change `t` that the caller can see, as a JSON array. */
export function visibleObjects(ctx: RequestContext, { maxObjects, pinned }: ObjectSelection): Sql {
  const firstObjects = (condition: Sql, limit: number) => sql`(SELECT o.* FROM change_objects o
    WHERE o.project_id = t.project_id AND o.change_id = t.id AND ${canSeeObject(ctx)} AND ${condition}
    ORDER BY o.ordinal LIMIT ${limit})`;
  const selected = pinned
    ? sql`(${firstObjects(pinned, 1)} UNION ALL ${firstObjects(sql`NOT (${pinned})`, maxObjects - 1)})`
    : firstObjects(sql`true`, maxObjects);
  return sql`(SELECT COALESCE(json_agg(${visibleObject(ctx)} ORDER BY o.ordinal), '[]') FROM ${selected} o)`;
}

/** The object `o` of a record as JSON, without what is hidden from the caller. */
export const visibleObject = (ctx: RequestContext): Sql => sql`json_build_object('kind', o.kind,
  'id', COALESCE(to_json(o.object_id), to_json(o.project_id)), 'name', o.name, 'action', o.action,
  'before', ${shownSide(ctx, 'before')}, 'after', ${shownSide(ctx, 'after')}, 'variables', ${visibleVariables(ctx)})`;

/** The number of objects of the change `t`. For a large change, `change_impacts` has the number. */
export const visibleTotal = (ctx: RequestContext): Sql => sql`COALESCE(
  (SELECT i.objects FROM change_impacts i WHERE i.project_id = t.project_id AND i.change_id = t.id),
  (SELECT count(*) FROM change_objects o
    WHERE o.project_id = t.project_id AND o.change_id = t.id AND ${canSeeObject(ctx)}))`;

/** Kinds with restricted access. Callers see their records only if they can read the kind itself. */
const restricted: readonly { readonly mapping: ResourceMapping; readonly reads: RouteAccess }[] = [
  { mapping: accessSecretMapping, reads: ADMIN },
  { mapping: settingsMapping, reads: ADMIN },
];

/** Whether the caller can read the kind of the object `o`; undefined if the caller can read every kind. */
function canSeeKind({ principal }: RequestContext): Sql | undefined {
  const hidden = restricted
    .filter(({ reads }) => !hasAccess(principal, reads))
    .map(({ mapping }) => mapping.kind);
  return hidden.length === 0 ? undefined : sql`o.kind <> ALL(${arrayParameter(hidden)}::text[])`;
}

/** Whether the caller can see the record `row`: it has at least one object of a kind that the caller can read. */
export function canSeeRecord(ctx: RequestContext, row: 't' | 'c' | 'l' | 'r' = 't'): Sql {
  const isReadableKind = canSeeKind(ctx);
  if (!isReadableKind) return sql`true`;
  const record = raw(row);
  return sql`EXISTS (SELECT FROM change_objects o
    WHERE o.project_id = ${record}.project_id AND o.change_id = ${record}.id AND ${isReadableKind})`;
}

/** Resources whose members contain variable keys. */
const keyNamingMappings: readonly ResourceMapping[] = [
  variableDefinitionMapping,
  auditMapping,
  proposalMapping,
];

/** Whether the caller can see the object `o`. */
export const canSeeObject = (ctx: RequestContext): Sql =>
  and([canSeeKind(ctx) ?? sql`true`, canSeeNamedKeys(ctx)]);

/** Whether the object `o` contains no variable key that is hidden from the caller. */
export function canSeeNamedKeys(ctx: RequestContext): Sql {
  const { visibility } = ctx;
  if (visibility.seesEverything) return sql`true`;
  return and(
    keyNamingMappings.map(
      (mapping) => sql`(o.kind <> ${mapping.kind} OR (${hasVisibleKeys(mapping, ctx, 'o.before')}
        AND ${hasVisibleKeys(mapping, ctx, 'o.after')}))`,
    ),
  );
}

/** One side of the object `o`, without members that reveal keys hidden from the caller. */
export function visibleSide(ctx: RequestContext, column: 'before' | 'after'): Sql {
  const side = raw(`o.${column}`);
  if (ctx.visibility.seesEverything) return side;
  return sql`CASE o.kind WHEN ${userMapping.kind} THEN ${visibleMembersOf(userMapping, ctx, side)} ELSE ${side} END`;
}

/** A side as responses show it. Of all kinds, the members of `versionFields` are the only times. */
const shownSide = (ctx: RequestContext, column: 'before' | 'after'): Sql =>
  withShownTimes({ fields: versionFields }, ctx, visibleSide(ctx, column));

function visibleVariables({ visibility }: RequestContext): Sql {
  if (visibility.seesEverything) return sql`o.variables`;
  return sql`(SELECT COALESCE(jsonb_object_agg(v.key, v.value), '{}') FROM jsonb_each(o.variables) v
    WHERE ${isVisible(visibility, sql`v.key`)})`;
}

/**
 * The number of devices whose resolved variables the change `t` altered. For callers who cannot see all variables, only
 * public variables count. NULL for records that are older than impact counts. For these callers it is also NULL if a
 * variable became private after the change: the stored number can count that variable and would reveal it. That applies
 * to all such records, because a NULL for the affected ones alone would reveal it, too.
 */
export function visibleImpact({ visibility }: RequestContext): Sql {
  const { hidden } = visibility;
  const impact = (devices: Sql, publicDevices: Sql, hiding: Sql): Sql =>
    visibility.seesEverything
      ? sql`CASE WHEN ${devices} IS NOT NULL THEN json_build_object('devices', ${devices}) END`
      : sql`CASE WHEN ${hiding} @> ${arrayParameter(hidden.patterns)}::text[] THEN json_build_object('devices', ${publicDevices}) END`;
  // For a large change, `change_impacts` has the numbers.
  return sql`CASE WHEN t.impact_devices IS NULL THEN (
      SELECT ${impact(sql`i.devices`, sql`i.public`, sql`i.hiding`)} FROM change_impacts i
      WHERE i.project_id = t.project_id AND i.change_id = t.id)
    ELSE ${impact(sql`t.impact_devices`, sql`t.impact_public`, sql`t.impact_hiding`)} END`;
}
