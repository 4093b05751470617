import { raw, sql, type Sql } from '../database/sql';
import { jsonOf, ownMembers } from '../database/resource-sql';
import type { ResourceShape } from '../database/resource-shape';

/** A resource's state at a moment within a transaction, as JSON texts. */
export interface Snapshot {
  readonly projectId: string;
  /** 0 for a project, whose id is its project's. */
  readonly id: number;
  readonly version: number;
  readonly name: string;
  readonly members: string;
  /** Undefined for what carries no variables. */
  readonly variables: string | undefined;
  /** The labels that it carries, which `members` tells by names that may be changed later; undefined where it can carry none. */
  readonly labelIds: readonly number[] | undefined;
  /** The database's time when it was so. */
  readonly readAt: string;
}

/** A resource that is locked until the transaction ends, as it was when the lock was got. */
export interface LockedResource extends Snapshot {
  readonly shape: ResourceShape;
}

/** A resource that a change touches. `after` is read when the change is finished. */
export interface TrackedResource {
  readonly shape: ResourceShape;
  readonly projectId: string;
  readonly id: number;
  readonly before: Snapshot | undefined;
  deleted: boolean;
}

export interface SnapshotRow {
  [column: string]: unknown;
  project_id: string;
  id: number;
  version: number;
  name: string;
  members: string;
  variables: string | null;
  label_ids: number[] | null;
  read_at: string;
}

/** The id by which a change set knows a resource `t`: 0 for a project, whose id is its project's. */
export const snapshotId = (shape: ResourceShape): Sql => raw(shape.idType === 'uuid' ? '0::bigint' : 't.id');

const known = new WeakMap<ResourceShape, Sql>();

/** The columns that a change record needs of a resource `t`. */
export function snapshotColumns(shape: ResourceShape): Sql {
  let columns = known.get(shape);
  if (!columns) {
    columns = columnsOf(shape);
    known.set(shape, columns);
  }
  return columns;
}

function columnsOf(shape: ResourceShape): Sql {
  const labels = raw(
    shape.labels
      ? `ARRAY(SELECT a.label_id::float8 FROM ${shape.labels.table} a
          WHERE a.project_id = t.project_id AND a.${shape.labels.owner} = t.id ORDER BY a.label_id)`
      : 'NULL::float8[]',
  );
  const variables = raw(shape.carriesVariables ? 't.variables::text' : 'NULL::text');
  return sql`t.project_id, ${snapshotId(shape)} AS id, t.version, ${raw(shape.fields[shape.nameField]?.sql ?? 't.id')}::text AS name,
    ${jsonOf(shape, ownMembers(shape))} AS members, ${variables} AS variables, ${labels} AS label_ids,
    clock_timestamp() AS read_at`;
}

export const snapshotOf = (row: SnapshotRow): Snapshot => ({
  projectId: row.project_id,
  id: row.id,
  version: row.version,
  name: row.name,
  members: row.members,
  variables: row.variables ?? undefined,
  labelIds: row.label_ids ?? undefined,
  readAt: row.read_at,
});
