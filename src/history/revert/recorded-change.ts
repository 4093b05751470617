import type { ChangeAction } from '../../changes/change-diff';
import type { RequestContext } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors';
import type { Queryable } from '../../database/database';
import { arrayParameter, raw, sql, type Sql } from '../../database/sql';
import { isChanged } from '../../database/resource-sql';
import { visibleSide, canSeeNamedKeys } from '../visible-change';
import { findChange, type ChangeId } from '../change-record';
import { NOT_RESTORED, revertibleKind, type RevertibleKind } from './revertible-kinds';

/** What a change did to one resource, as a revert needs it. The values stay in the database. */
export interface RecordedObject {
  readonly ordinal: number;
  readonly kind: RevertibleKind;
  /** 0 for a resource that is identified by its project's id. */
  readonly id: number;
  readonly name: string;
  readonly action: ChangeAction;
  /** The altered members that the caller can see, including `labels`. For a deletion, all members. */
  readonly members: readonly string[];
  /** The keys of the altered variables. */
  readonly keys: readonly string[];
  /** Whether it refers to variables that are hidden from the caller, and is therefore hidden itself. */
  readonly hidden: boolean;
  /** Whether it was a root user before the change. */
  readonly wasRoot: boolean;
}

/** A recorded change with its objects. */
export interface RecordedChange extends ChangeId {
  readonly objects: readonly RecordedObject[];
}

/** The condition that a row `o` of change_objects is one of these objects of a change. */
export const isRecordedObject = ({ projectId, id }: RecordedChange, ordinals: readonly number[]): Sql =>
  sql`o.project_id = ${projectId} AND o.change_id = ${id} AND o.ordinal = ANY(${arrayParameter(ordinals)}::integer[])`;

/** The members that differ between the two sides of a row of change_objects. If it has one side, all of its members. */
export const recordedMembers = (row: string): Sql => sql`ARRAY(
  SELECT m.key FROM jsonb_object_keys(COALESCE(${raw(row)}.before, ${raw(row)}.after)) AS m (key)
  WHERE m.key <> ALL(${arrayParameter(NOT_RESTORED)}::text[]) AND ${isMemberAltered(row, sql`m.key`)}
  UNION ALL SELECT 'labels' WHERE ${isMemberAltered(row, sql`'labels'`)})`;

/** Whether a member differs between the two sides of a row, or exists on its only side. Labels are compared by id. */
export const isMemberAltered = (row: string, member: Sql): Sql => sql`(CASE
  WHEN ${member} = 'labels' THEN ${raw(row)}.labels_before IS DISTINCT FROM ${raw(row)}.labels_after
  WHEN ${raw(row)}.action = 'update' THEN ${isChanged(sql`${raw(row)}.before -> ${member}`, sql`${raw(row)}.after -> ${member}`)}
  ELSE COALESCE(${raw(row)}.before, ${raw(row)}.after) -> ${member} IS NOT NULL END)`;

/** The maximum number of resources that one revert can write. */
const MAX_OBJECTS = 10_000;

/** @throws InventoryError 409 if the change touched too many resources */
async function assertRevertibleSize(projectId: string, id: number, on: Queryable): Promise<void> {
  const [more] = await on.rows(sql`SELECT FROM change_objects o
    WHERE o.project_id = ${projectId} AND o.change_id = ${id} ORDER BY o.ordinal OFFSET ${MAX_OBJECTS} LIMIT 1`);
  if (more)
    throw new InventoryError(
      'conflict',
      `The change ${String(id)} touched more than ${String(MAX_OBJECTS)} resources, which is the limit for a revert.`,
    );
}

/** @param count the number of resources that several changes touched @throws InventoryError 409 if there are too many */
export function assertRevertibleCount(count: number): void {
  if (count > MAX_OBJECTS)
    throw new InventoryError(
      'conflict',
      `The changes touched more than ${String(MAX_OBJECTS)} resources, which is the limit for a revert.`,
    );
}

/** The kind of proposals. A change that applies one records it, too. What is reverted is what it did: the proposal stays applied. */
const PROPOSAL = 'proposal';

/** @throws InventoryError 404 if the caller cannot see the change, 409 if it is too large or cannot be reverted */
export async function readRecordedChange(
  ctx: RequestContext,
  id: number,
  on: Queryable,
): Promise<RecordedChange> {
  const change = await findChange(ctx, id, on);
  const { projectId } = change;
  await assertRevertibleSize(projectId, id, on);
  const rows = await on.rows<Omit<RecordedObject, 'kind'> & { kind: string } & Record<string, unknown>>(sql`
    SELECT o.ordinal, o.kind, COALESCE(o.object_id, 0) AS id, o.name, o.action, o.keys,
      ${recordedMembers('s')} AS members, NOT (${canSeeNamedKeys(ctx)}) AS hidden, COALESCE(o.before -> 'is_root' = 'true', false) AS "wasRoot"
    FROM change_objects o CROSS JOIN LATERAL (SELECT o.action, o.labels_before, o.labels_after,
      ${visibleSide(ctx, 'before')} AS before, ${visibleSide(ctx, 'after')} AS after) s
    WHERE o.project_id = ${projectId} AND o.change_id = ${id} AND o.kind <> ${PROPOSAL} ORDER BY o.ordinal`);
  const objects = rows.map((row) => ({ ...row, kind: revertibleKind(row.kind) }));
  return { ...change, objects };
}
