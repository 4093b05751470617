import { raw, sql, type Sql } from '../../../database/sql';
import { type Check, union } from '../check';

/** The tables with ids, and their further columns that are unique in the deployment. */
const identified: Readonly<Record<string, readonly string[]>> = {
  users: ['uuid'],
  clouds: ['uuid'],
  regions: ['uuid'],
  cells: ['uuid'],
  labels: ['uuid'],
  access_secrets: ['uuid'],
  devices: ['uuid'],
  variable_definitions: ['uuid'],
  audits: ['uuid'],
  api_keys: ['key_id'],
  changes: [],
};

/** Ids must be unique across projects: root finds resources, and the service finds API keys, without a project. */
function shared(table: string, column: string): Sql {
  return raw(`SELECT t.project_id, '${table}' AS kind, t.id, 'another row has its ${column} ' || t.${column} AS problem
    FROM (SELECT *, count(*) OVER (PARTITION BY ${column}) AS bearers FROM ${table}) t WHERE t.bearers > 1`);
}

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

export const identifiers: Check = {
  name: 'identifiers',
  invariant: 'ids, uuids and key ids are unique, and no sequence is behind the existing ids',
  spansProjects: true,
  counted: sql`SELECT sum(rows_of.count)::bigint AS count FROM (${union(
    tables.map((table) => raw(`SELECT count(*) AS count FROM ${table}`)),
  )}) rows_of`,
  faults: union([
    ...tables.flatMap((table) => ['id', ...(identified[table] ?? [])].map((column) => shared(table, column))),
    ...tables.map(beyond),
  ]),
};
