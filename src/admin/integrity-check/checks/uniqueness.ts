import { raw, sql, type Sql } from '../../../database/sql';
import { deviceKinds } from '../../../devices/device-kinds';
import { type Check, resourceTables, union } from '../check';

/** The tables with ids, and their further columns that are unique in the deployment. */
const identified: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(resourceTables.map((table) => [table, ['uuid']])),
  api_keys: ['key_id'],
  changes: [],
};

/** A query for the rows that share a value with another one. @param within the columns within which it is unique */
function duplicates(table: string, column: string, within = '', shown = `t.${column}`): Sql {
  const id = table === 'projects' ? 'NULL::bigint' : 't.id';
  const partition = within === '' ? column : `${within}, ${column}`;
  return raw(`SELECT t.project_id, '${table}' AS kind, ${id} AS id, 'another row has its ${column} ' || ${shown} AS problem
    FROM (SELECT *, count(*) OVER (PARTITION BY ${partition}) AS bearers FROM ${table}) t WHERE t.bearers > 1`);
}

const countRows = (tables: readonly string[]): Sql =>
  sql`SELECT sum(rows_of.count)::bigint AS count FROM (${union(
    tables.map((table) => raw(`SELECT count(*) AS count FROM ${table}`)),
  )}) rows_of`;

/**
 * A sequence that is behind, for example after only rows were restored, would reuse ids. (Sequences are not
 * transactional: the sequence can be ahead of the snapshot, but not behind.)
 */
function beyond(table: string): Sql {
  return raw(`SELECT t.project_id, '${table}' AS kind, t.id, 'the sequence is behind its id' AS problem
    FROM (SELECT project_id, id FROM ${table} ORDER BY id DESC LIMIT 1) t
    JOIN pg_sequences s ON format('%I.%I', s.schemaname, s.sequencename) = pg_get_serial_sequence('${table}', 'id')
    WHERE COALESCE(s.last_value, s.start_value - 1) < t.id`);
}

const tables = Object.keys(identified);

/** Ids must be unique across projects: root finds resources, and the service finds API keys, without a project. */
export const identifiers: Check = {
  name: 'identifiers',
  invariant: 'ids, uuids and key ids are unique, and no sequence is behind the existing ids',
  spansProjects: true,
  counted: countRows(tables),
  faults: union([
    ...tables.flatMap((table) =>
      ['id', ...(identified[table] ?? [])].map((column) => duplicates(table, column)),
    ),
    ...tables.map(beyond),
  ]),
};

/** A name column, and the columns within which it is unique. */
interface UniqueName {
  readonly table: string;
  readonly name: string;
  readonly within: string;
}

const uniqueNames: readonly UniqueName[] = [
  { table: 'projects', name: 'name', within: '' },
  { table: 'users', name: 'username', within: 'project_id' },
  { table: 'clouds', name: 'name', within: 'project_id' },
  { table: 'regions', name: 'name', within: 'project_id' },
  { table: 'cells', name: 'name', within: 'project_id, region_id' },
  { table: 'labels', name: 'label', within: 'project_id' },
  { table: 'devices', name: 'name', within: 'project_id' },
  { table: 'variable_definitions', name: 'key', within: 'project_id' },
  { table: 'audits', name: 'name', within: 'project_id' },
  { table: 'views', name: 'name', within: 'project_id' },
];

const kinds = deviceKinds.map(({ mapping }) => `'${mapping.kind}'`).join(', ');

export const names: Check = {
  name: 'names',
  invariant: 'names are unique, and every device has a kind that this program knows',
  counted: countRows(uniqueNames.map(({ table }) => table)),
  faults: union([
    ...uniqueNames.map(({ table, name, within }) => duplicates(table, name, within, `to_json(t.${name})`)),
    raw(`SELECT project_id, 'devices', id, 'its kind ' || to_json(kind) || ' is not known'
      FROM devices WHERE kind NOT IN (${kinds})`),
  ]),
};
