import { deviceKinds } from '../../../devices/device-kinds';
import { raw, sql, type Sql } from '../../../database/sql';
import { type Check, union } from '../check';

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
];

function shared({ table, name, within }: UniqueName): Sql {
  const id = table === 'projects' ? 'NULL::bigint' : 't.id';
  const others = within === '' ? name : `${within}, ${name}`;
  return raw(`SELECT t.project_id, '${table}' AS kind, ${id} AS id, 'another row has its ${name} ' || to_json(t.${name}) AS problem
    FROM (SELECT *, count(*) OVER (PARTITION BY ${others}) AS bearers FROM ${table}) t WHERE t.bearers > 1`);
}

const kinds = deviceKinds.map(({ shape }) => `'${shape.kind}'`).join(', ');

export const names: Check = {
  name: 'names',
  invariant: 'names are unique, and every device has a kind that this program knows',
  counted: sql`SELECT sum(names_of.count)::bigint AS count FROM (${union(
    uniqueNames.map(({ table }) => raw(`SELECT count(*) AS count FROM ${table}`)),
  )}) names_of`,
  faults: union([
    ...uniqueNames.map(shared),
    raw(`SELECT project_id, 'devices', id, 'its kind ' || to_json(kind) || ' is not known'
      FROM devices WHERE kind NOT IN (${kinds})`),
  ]),
};
