import { raw, sql, type Sql } from '../shared/persistence/sql';
import { jsonOf, ownMembers } from '../shared/resources/projection';
import type { ResourceShape } from '../shared/resources/resource-shape';
import type { Snapshot } from './touched';

export interface SnapshotRow {
  [column: string]: unknown;
  project_id: string;
  id: number;
  version: number;
  name: string;
  members: string;
  variables: string | null;
}

/** The columns that a change record needs of a resource `t`. */
export function snapshotColumns(shape: ResourceShape): Sql {
  const id = raw(shape.idType === 'uuid' ? '0::bigint' : 't.id');
  const variables = raw(shape.carriesVariables ? 't.variables::text' : 'NULL::text');
  return sql`t.project_id, ${id} AS id, t.version, ${raw(shape.fields[shape.nameField]?.sql ?? 't.id')}::text AS name,
    ${jsonOf(shape, ownMembers(shape))} AS members, ${variables} AS variables`;
}

export const snapshotOf = (row: SnapshotRow): Snapshot => ({
  projectId: row.project_id,
  id: row.id,
  version: row.version,
  name: row.name,
  members: row.members,
  variables: row.variables ?? undefined,
});
