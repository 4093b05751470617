import { raw, sql, type Sql } from '../../../database/sql';
import type { Check } from '../check';
import { union } from '../stored-kinds';

/** The tables with an id of their own, and what else of a row nobody else in the deployment has. */
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

/** Root addresses a resource by its id alone, and a key's holder is found by the key's id alone. */
function shared(table: string, column: string): Sql {
  return raw(`SELECT t.project_id, '${table}' AS kind, t.id, 'another has its ${column} ' || t.${column} AS problem
    FROM (SELECT *, count(*) OVER (PARTITION BY ${column}) AS bearers FROM ${table}) t WHERE t.bearers > 1`);
}

/**
 * A sequence that is behind, as after a restore of the rows alone, would give an id again. (Sequences are in no
 * snapshot: this one may be further by now, never less far.)
 */
function beyond(table: string): Sql {
  return raw(`SELECT t.project_id, '${table}' AS kind, t.id, 'the next ids would begin at or below its id' AS problem
    FROM (SELECT project_id, id FROM ${table} ORDER BY id DESC LIMIT 1) t
    JOIN pg_sequences s ON format('%I.%I', s.schemaname, s.sequencename) = pg_get_serial_sequence('${table}', 'id')
    WHERE COALESCE(s.last_value, s.start_value - 1) < t.id`);
}

const tables = Object.keys(identified);

export const identifiers: Check = {
  name: 'identifiers',
  promise: 'no two rows have one id, uuid or key id, and none that will be made gets one that is taken',
  counted: sql`SELECT sum(rows_of.count)::bigint AS count FROM (${union(
    tables.map((table) => raw(`SELECT count(*) AS count FROM ${table}`)),
  )}) rows_of`,
  faults: union([
    ...tables.flatMap((table) => ['id', ...(identified[table] ?? [])].map((column) => shared(table, column))),
    ...tables.map(beyond),
  ]),
};
