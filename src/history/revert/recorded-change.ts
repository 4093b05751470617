import type { ChangeAction } from '../../changes/described-change';
import { visibleProjects, type RequestContext } from '../../shared/context/request-context';
import { InventoryError } from '../../shared/errors/inventory-error';
import type { Queryable } from '../../shared/persistence/database';
import { list, raw, sql, type Sql } from '../../shared/persistence/sql';
import { from, inScope } from '../../shared/resources/projection';
import { changeRecords } from '../change-record';
import { seesObject } from '../seen-record';
import { NOT_PUT_BACK, revertibleKind, type RevertibleKind } from './revertible-kinds';

/** What a change did to one resource, as far as it is to be undone. The values themselves stay in the database. */
export interface RecordedObject {
  readonly ordinal: number;
  readonly kind: RevertibleKind;
  /** 0 for what is addressed by its project's id. */
  readonly id: number;
  readonly name: string;
  readonly action: ChangeAction;
  /** The members that the change altered, `labels` among them; of a deletion all that it had. */
  readonly members: readonly string[];
  /** The keys of the variables that it altered. */
  readonly keys: readonly string[];
  /** Whether it names variables that are hidden from the caller, and with them itself. */
  readonly hidden: boolean;
  /** Whether it was a root user before or after. */
  readonly concernsRoot: boolean;
  /** Whether it was a root user before. */
  readonly wasRoot: boolean;
}

/** A change that is on record. */
export interface RecordedChange {
  readonly projectId: string;
  readonly id: number;
  readonly objects: readonly RecordedObject[];
}

/** A change after the recorded one that touched one of the same resources. */
export interface LaterChange {
  readonly ordinal: number;
  readonly changeId: number;
  readonly action: ChangeAction;
  readonly members: readonly string[];
  readonly keys: readonly string[];
}

/** The rows `o` of change_objects that are objects of a change. */
export const objectsOf = ({ projectId, id }: RecordedChange, ordinals: readonly number[]): Sql =>
  sql`o.project_id = ${projectId} AND o.change_id = ${id} AND o.ordinal = ANY(${list(ordinals)}::integer[])`;

/** The members that differ between the sides of a row of change_objects, or that its one side has. */
const alteredMembers = (row: string): Sql => sql`ARRAY(
  SELECT m.key FROM jsonb_each(COALESCE(${raw(row)}.before, ${raw(row)}.after)) m
  WHERE m.key <> ALL(${list(NOT_PUT_BACK)}::text[])
    AND (${raw(row)}.action <> 'update' OR ${raw(row)}.after -> m.key IS DISTINCT FROM m.value)
  UNION ALL SELECT 'labels' WHERE ${raw(row)}.labels_before IS DISTINCT FROM ${raw(row)}.labels_after)`;

/** @throws InventoryError 404 if the caller cannot see the change, 409 for a kind of which nothing can be undone */
export async function readChange(ctx: RequestContext, id: number, on: Queryable): Promise<RecordedChange> {
  const [found] = await on.rows<{ project_id: string }>(sql`SELECT t.project_id ${from(changeRecords.shape)}
    WHERE ${inScope(changeRecords.shape, visibleProjects(ctx))} AND t.id = ${id}`);
  if (!found) throw InventoryError.notFound('change', id);
  const rows = await on.rows<Omit<RecordedObject, 'kind'> & { kind: string } & Record<string, unknown>>(sql`
    SELECT o.ordinal, o.kind, COALESCE(o.object_id, 0) AS id, o.name, o.action, o.keys,
      ${alteredMembers('o')} AS members, NOT (${seesObject(ctx)}) AS hidden, COALESCE(o.before -> 'is_root' = 'true', false) AS "wasRoot",
      COALESCE('true' IN (o.before -> 'is_root', o.after -> 'is_root'), false) AS "concernsRoot"
    FROM change_objects o WHERE o.project_id = ${found.project_id} AND o.change_id = ${id} ORDER BY o.ordinal`);
  const objects = rows.map((row) => ({ ...row, kind: revertibleKind(row.kind) }));
  return { projectId: found.project_id, id, objects };
}

/** The changes after this one that touched a resource that it touched, oldest first. */
export async function laterChanges(
  { projectId, id }: RecordedChange,
  on: Queryable,
): Promise<readonly LaterChange[]> {
  const later = sql`SELECT l.* FROM change_objects l
    WHERE l.project_id = o.project_id AND l.kind = o.kind AND l.change_id > o.change_id`;
  return on.rows<LaterChange & Record<string, unknown>>(sql`
    SELECT o.ordinal, l.change_id AS "changeId", l.action, l.keys, ${alteredMembers('l')} AS members
    FROM change_objects o CROSS JOIN LATERAL (
      ${later} AND l.object_id = o.object_id UNION ALL ${later} AND o.object_id IS NULL AND l.object_id IS NULL
    ) l
    WHERE o.project_id = ${projectId} AND o.change_id = ${id} ORDER BY l.change_id, o.ordinal`);
}
