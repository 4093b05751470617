import { raw, sql, type Sql } from '../database/sql';
import { jsonOf, ownMembers } from '../database/resource-sql';
import type { ResourceShape } from '../database/resource-shape';

/** The state of a resource within a transaction. Members and variables are JSON texts. */
export interface Snapshot {
  readonly projectId: string;
  /** 0 for a project: `projectId` identifies it. */
  readonly id: number;
  readonly version: number;
  readonly name: string;
  readonly members: string;
  /** Undefined if the shape has no variables. */
  readonly variables: string | undefined;
  /**
   * The ids of its labels; `members` has only their names, which can change later. Undefined if the shape has no
   * labels.
   */
  readonly labelIds: readonly number[] | undefined;
  /** The database's time when the state was read. */
  readonly readAt: string;
}

/** A resource that is locked until the transaction ends, in the state when the lock was acquired. */
export interface LockedResource extends Snapshot {
  readonly shape: ResourceShape;
}

/** A resource that a change touches. Its state afterwards is read when the change is complete. */
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

/** The id of a resource `t` in a change set: 0 for a project, which `projectId` identifies. */
export const snapshotId = (shape: ResourceShape): Sql => raw(shape.idType === 'uuid' ? '0::bigint' : 't.id');

const cache = new WeakMap<ResourceShape, Sql>();

/** The columns of a resource `t` that a change record needs. */
export function snapshotColumns(shape: ResourceShape): Sql {
  let columns = cache.get(shape);
  if (!columns) {
    columns = columnsOf(shape);
    cache.set(shape, columns);
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
