import { from, jsonOf, ownMembers } from '../database/resource-sql';
import type { ResourceMapping } from '../database/resource-mapping';
import { ids as anyOf, raw, sql, type Sql } from '../database/sql';

/** The state of a resource within a transaction, as far as checks and the impact of a change need it. */
export interface ResourceState {
  readonly projectId: string;
  /** 0 for a project: `projectId` identifies it. */
  readonly id: number;
  readonly version: number;
  readonly name: string;
  /** The region of a device or a cell; null for other resources. */
  readonly regionId: number | null;
  /** The cell of a device; null if it has none, and for other resources. */
  readonly cellId: number | null;
  /** A JSON text. Undefined if the mapping has no variables. */
  readonly variables: string | undefined;
  /** The ids of its labels; records have their names, too, which can change later. Undefined if the mapping has no labels. */
  readonly labelIds: readonly number[] | undefined;
}

/**
 * The state of a resource that a part of a large change created, as the part leaves it. The part knows it without reading
 * the resource.
 */
export interface CreatedState extends ResourceState {
  /** The names of its labels, as its member `labels` has them. Undefined if the mapping has no labels. */
  readonly labelNames: string | undefined;
}

/** The state of a resource that was just created, without what its mapping does not have. */
export const stateOfCreated = (
  known: Pick<CreatedState, 'projectId' | 'id' | 'name'> & Partial<CreatedState>,
): CreatedState => ({
  version: 1,
  regionId: null,
  cellId: null,
  variables: undefined,
  labelIds: undefined,
  labelNames: undefined,
  ...known,
});

/** The state of a resource with all that a change record contains. */
export interface Snapshot extends ResourceState {
  /** The members, as JSON text. */
  readonly members: string;
  /** The database's time when the state was read. */
  readonly readAt: string;
}

/** The state of a resource: as it was read, or as a part of a large change created it. */
export type SnapshotOrCreated = CreatedState | Snapshot;

/**
 * The members in the state of a resource, as JSON text.
 * @throws Error for a resource that a large change created: only the database reads its members, to record them
 */
export function membersIn(state: SnapshotOrCreated): string {
  if ('members' in state) return state.members;
  throw new Error('the members of a resource that was created in a large change are not read');
}

/** A resource that is locked until the transaction ends, in the state when the lock was acquired. */
export interface LockedResource extends Snapshot {
  readonly mapping: ResourceMapping;
}

/** A resource that a change touches. Its state afterwards is read when the change is complete. */
export interface TrackedResource {
  readonly mapping: ResourceMapping;
  readonly projectId: string;
  readonly id: number;
  readonly before: Snapshot | undefined;
  /** The state of a resource that this change created, if it was given without being read: see `ChangeSet.createdWithState`. */
  readonly createdState?: CreatedState | undefined;
  deleted: boolean;
}

export interface SnapshotRow {
  [column: string]: unknown;
  project_id: string;
  id: number;
  version: number;
  name: string;
  in_region: number | null;
  in_cell: number | null;
  variables: string | null;
  label_ids: number[] | null;
  read_at: string;
  members: string;
}

/** The id of a resource `t` in a change set: 0 for a project, which `projectId` identifies. */
const snapshotId = (mapping: ResourceMapping): Sql => raw(mapping.idType === 'uuid' ? '0::bigint' : 't.id');

const columnsByMapping = new WeakMap<ResourceMapping, Sql>();

/** The name of a resource `t`. */
export const nameOf = (mapping: ResourceMapping): Sql =>
  sql`${raw(mapping.fields[mapping.nameField]?.sql ?? 't.id')}::text`;

/** The columns of a resource `t` that a change record needs. They are built once for each mapping. */
export function snapshotColumns(mapping: ResourceMapping): Sql {
  const built = columnsByMapping.get(mapping);
  if (built) return built;
  const location = (column: 'region_id' | 'cell_id') =>
    raw(column in mapping.fields ? `t.${column}` : 'NULL::bigint');
  const labels = raw(
    mapping.labels
      ? `ARRAY(SELECT a.label_id::float8 FROM ${mapping.labels.table} a
          WHERE a.project_id = t.project_id AND a.${mapping.labels.owner} = t.id ORDER BY a.label_id)`
      : 'NULL::float8[]',
  );
  const variables = raw(mapping.carriesVariables ? 't.variables::text' : 'NULL::text');
  const columns = sql`t.project_id, ${snapshotId(mapping)} AS id, t.version, ${nameOf(mapping)} AS name,
    ${location('region_id')} AS in_region, ${location('cell_id')} AS in_cell,
    ${variables} AS variables, ${labels} AS label_ids, clock_timestamp() AS read_at,
    ${jsonOf(mapping, ownMembers(mapping))} AS members`;
  columnsByMapping.set(mapping, columns);
  return columns;
}

export const snapshotOf = (row: SnapshotRow): Snapshot => ({
  projectId: row.project_id,
  id: row.id,
  version: row.version,
  name: row.name,
  regionId: row.in_region,
  cellId: row.in_cell,
  variables: row.variables ?? undefined,
  labelIds: row.label_ids ?? undefined,
  members: row.members,
  readAt: row.read_at,
});

/** The columns of a snapshot of `t`, and further columns. */
export const withSnapshot = (mapping: ResourceMapping, columns: Sql | undefined): Sql =>
  columns ? sql`${snapshotColumns(mapping)}, ${columns}` : snapshotColumns(mapping);

/** @param columns further columns over `t` */
export const snapshotStatement = (
  mapping: ResourceMapping,
  projectId: string,
  ids: readonly number[],
  columns?: Sql,
): Sql => {
  const which = mapping.idType === 'uuid' ? sql`t.id = ${projectId}` : sql`t.id = ANY(${anyOf(ids)})`;
  return sql`SELECT ${withSnapshot(mapping, columns)} ${from(mapping)} WHERE t.project_id = ${projectId} AND ${which}`;
};
