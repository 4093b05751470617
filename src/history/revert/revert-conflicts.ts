import type { ErrorDetail } from '../../core/error-details';
import { InventoryError } from '../../core/errors';
import { isForeignKeyViolation, postgresError, violatedColumns } from '../../database/errors/postgres-error';
import {
  isMemberAltered,
  type RecordedChange,
  recordedMembers,
  type RecordedObject,
} from './recorded-change';
import type { RequestContext } from '../../core/context/request-context';
import { isVisible } from '../../database/resource-sql';
import type { Queryable } from '../../database/database';
import { arrayParameter, sql, type Sql } from '../../database/sql';
import { EXTERNAL_PROVIDERS } from '../../auth/identity/external-users';
import { userMapping } from '../../accounts/user.entity';
import type { ChangeSet } from '../../changes/change-set';
import { isDevice } from './revertible-kinds';

/** The number of later changes, and the ids of the oldest ones. */
export interface LaterChanges {
  readonly count: number;
  readonly oldest: readonly number[];
}

/** A member or a variable that both the change and later changes touched. */
interface ConflictingField extends LaterChanges {
  /** The ordinal of the change's object. */
  readonly ordinal: number;
  /** The name of a member, or `variables.` and a key. */
  readonly field: string;
}

/** The later changes that conflict with a revert. */
export interface RevertConflicts {
  /** All conflicting changes. */
  readonly all: LaterChanges;
  /** The first conflicting fields, ordered by object. */
  readonly fields: readonly ConflictingField[];
}

/** Limits on the conflicts that an error reports. */
const MAX_REPORTED = { fields: 100, changes: 5 } as const;

/**
 * The later rows `l` of change_objects for the same resource as the object `o`.
 * @param reverted the ids of changes that do not count
 */
function laterRecords(reverted: readonly number[]): Sql {
  const later = sql`SELECT l.* FROM change_objects l WHERE l.project_id = o.project_id AND l.kind = o.kind
    AND l.change_id > o.change_id AND l.change_id <> ALL(${arrayParameter(reverted)}::bigint[])`;
  return sql`${later} AND l.object_id = o.object_id UNION ALL ${later} AND o.object_id IS NULL AND l.object_id IS NULL`;
}

/**
 * Finds the members and variables that the change and later changes touched, without those hidden from the caller. A
 * created or deleted resource is reverted as a whole, so any later change of it conflicts. The query reads the later
 * records once and returns a limited number of rows.
 * @param reverted the ids of later changes that this revert has reverted already
 */
export async function findConflicts(
  { visibility }: RequestContext,
  { projectId, id }: RecordedChange,
  reverted: readonly number[],
  on: Queryable,
): Promise<RevertConflicts> {
  const rows = await on.rows<{ ordinal: number | null; field: string; count: number; oldest: number[] }>(
    sql`WITH own AS MATERIALIZED (
      SELECT o.*, o.action <> 'update' AS whole, ${recordedMembers('o')} AS members
      FROM change_objects o WHERE o.project_id = ${projectId} AND o.change_id = ${id}
    ), later AS MATERIALIZED (
      SELECT o.ordinal, o.whole, l.change_id,
        CASE WHEN o.whole THEN ${recordedMembers('l')}
          ELSE ARRAY(SELECT m.name FROM unnest(o.members) AS m (name) WHERE ${isMemberAltered('l', sql`m.name`)}) END AS members,
        CASE WHEN o.whole OR o.keys <> '{}'
          THEN ARRAY(SELECT k.key FROM unnest(l.keys) AS k (key) WHERE ${isVisible(visibility, sql`k.key`)})
          ELSE '{}' END AS keys
      FROM own o CROSS JOIN LATERAL (${laterRecords(reverted)}) l
    ), named AS (
      SELECT t.ordinal, m.name AS field, 1 AS rank, t.change_id, true AS counts FROM later t, unnest(t.members) AS m (name)
      UNION ALL SELECT t.ordinal, k.key, 2, t.change_id, t.whole FROM later t, unnest(t.keys) AS k (key)
      -- A later change that altered nothing recorded, or nothing that the caller can see, still conflicts.
      UNION ALL SELECT t.ordinal, 'version', 1, t.change_id, true FROM later t
        WHERE t.whole AND t.members = '{}' AND t.keys = '{}'
      -- The keys of the change itself: a union and a window function, because a join could get a slow plan.
      UNION ALL SELECT o.ordinal, k.key, 2, NULL, true FROM own o, unnest(o.keys) AS k (key)
    ), touched AS (
      SELECT n.*, bool_or(n.counts) OVER (PARTITION BY n.ordinal, n.rank, n.field COLLATE "C") AS conflicts FROM named n
    )
    SELECT t.ordinal, CASE t.rank WHEN 2 THEN 'variables.' ELSE '' END || t.field AS field,
      count(DISTINCT t.change_id) AS count,
      (array_agg(DISTINCT t.change_id ORDER BY t.change_id))[1:${MAX_REPORTED.changes}]::float8[] AS oldest
    FROM touched t WHERE t.conflicts AND t.change_id IS NOT NULL
    GROUP BY GROUPING SETS ((), (t.ordinal, t.rank, t.field)) HAVING count(*) > 0
    ORDER BY t.ordinal NULLS FIRST, min(t.change_id), t.rank, t.field COLLATE "C" LIMIT ${MAX_REPORTED.fields + 1}`,
    'custom',
  );
  const fields = rows.flatMap(({ ordinal, ...row }) => (ordinal === null ? [] : [{ ordinal, ...row }]));
  const [all = { count: 0, oldest: [] }] = rows.filter(({ ordinal }) => ordinal === null);
  return { all, fields };
}

export const describeObject = ({ kind, id, name }: RecordedObject): string =>
  `the ${kind.mapping.kind} ${id === 0 ? name : `${name} (${String(id)})`}`;

export const revertConflict = (
  change: RecordedChange,
  reason: string,
  details: readonly ErrorDetail[] = [],
): InventoryError =>
  new InventoryError(
    'conflict',
    `The change ${String(change.id)} cannot be reverted: ${reason}.`,
    details.slice(0, MAX_REPORTED.fields),
  );

/** @throws InventoryError 409 with a detail for each conflicting member or variable, up to `MAX_REPORTED.fields` */
export function assertNoConflicts(change: RecordedChange, { all, fields }: RevertConflicts): void {
  if (all.count === 0) return;
  const objects = new Map(change.objects.map((object) => [object.ordinal, object]));
  const details = fields.flatMap(({ ordinal, field, ...later }): ErrorDetail[] => {
    const object = objects.get(ordinal);
    return object
      ? [
          {
            field,
            code: 'changed_later',
            message: `${describeObject(object)}: modified later by ${changeList(later)}`,
          },
        ]
      : [];
  });
  throw revertConflict(change, `conflict with ${changeList(all)}`, details);
}

function changeList({ count, oldest }: LaterChanges): string {
  const ids = oldest.map(String).join(', ');
  if (count === 1) return `the change ${ids}`;
  return `the changes ${ids}${count > oldest.length ? ` and ${String(count - oldest.length)} more` : ''}`;
}

/**
 * Converts a foreign key violation into a conflict of the revert. Other errors are returned unchanged. PostgreSQL's
 * detail names the columns of the key and their values, which all belong to the caller's project.
 */
export function toRevertConflict(change: RecordedChange, error: unknown): unknown {
  const violation = postgresError(error);
  if (!violation || !isForeignKeyViolation(violation)) return error;
  const columns = violatedColumns(violation);
  const key = columns.map(({ column, value }) => `${column} ${value}`).join(', ');
  const field = columns.at(-1)?.column ?? 'id';
  const isReferenced = columns.some(({ column }) => column === 'id');
  const message = isReferenced
    ? `${key} is in use by ${(violation.table ?? '').replaceAll('_', ' ')} created later`
    : `${key} no longer exists`;
  return revertConflict(change, message, [{ field, code: isReferenced ? 'in_use' : 'not_found', message }]);
}

/**
 * Rejects recreating a user that came from an identity provider. Change records do not contain a user's id there.
 * Without it, the user would become a local one, and admins could give it keys and roles that bypass the provider. The
 * record of the user's creation shows whether the user came from a provider.
 * @throws InventoryError 409
 */
export async function assertNoExternalUsers(
  change: ChangeSet,
  recorded: RecordedChange,
  deleted: readonly RecordedObject[],
): Promise<void> {
  const users = deleted.filter(({ kind }) => kind.mapping === userMapping);
  if (users.length === 0) return;
  const authors = Object.values(EXTERNAL_PROVIDERS).map(({ author }) => author);
  const created = await change.tx.rows<{ id: number; author: string }>(sql`
    SELECT o.object_id AS id, c.actor_username AS author
    FROM change_objects o JOIN changes c ON c.project_id = o.project_id AND c.id = o.change_id
    WHERE o.project_id = ${recorded.projectId} AND o.kind = ${userMapping.kind} AND o.action = 'create'
      AND o.object_id = ANY(${arrayParameter(users.map(({ id }) => id))}::bigint[])
      AND c.actor_id IS NULL AND c.actor_username = ANY(${arrayParameter(authors)}::text[])`);
  for (const user of users) {
    const author = created.find(({ id }) => id === user.id)?.author;
    const provider = Object.values(EXTERNAL_PROVIDERS).find((one) => one.author === author);
    if (provider)
      throw revertConflict(
        recorded,
        `${describeObject(user)} came from ${provider.title} and is recreated when it next authenticates there`,
      );
  }
}

/** Whether the revert changes the parent of a device. */
export const changesParent = ({ kind, members }: RecordedObject): boolean =>
  isDevice(kind) && members.includes('parent_id');

/** @throws InventoryError 409 if a device that gets its former parent back would become its own ancestor */
export async function assertNoParentCycle(
  change: ChangeSet,
  recorded: RecordedChange,
  updated: readonly RecordedObject[],
): Promise<void> {
  const objects = updated.filter(changesParent);
  if (objects.length === 0) return;
  const { projectId } = recorded;
  const ids = arrayParameter(objects.map(({ id }) => id));
  const cycles = await change.tx.rows<{ id: number }>(sql`
    WITH RECURSIVE above (id, above_id) AS (
      SELECT d.id, d.parent_id FROM devices d WHERE d.project_id = ${projectId} AND d.id = ANY(${ids}::bigint[])
      UNION
      SELECT a.id, d.parent_id FROM above a JOIN devices d ON d.project_id = ${projectId} AND d.id = a.above_id
    ) SELECT DISTINCT id FROM above WHERE id = above_id ORDER BY id LIMIT ${MAX_REPORTED.fields}`);
  const details = cycles.flatMap(({ id }) =>
    objects
      .filter((object) => object.id === id)
      .map((object): ErrorDetail => ({
        field: 'parent_id',
        code: 'inconsistent',
        message: `the former parent of ${describeObject(object)} is now a descendant of it`,
      })),
  );
  if (details.length > 0) throw revertConflict(recorded, 'a device would be its own ancestor', details);
}
