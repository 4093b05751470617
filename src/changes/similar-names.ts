import { similarSpellings } from '../core/similar-spellings';
import type { Queryable } from '../database/queryable';
import type { ResourceShape } from '../database/resource-shape';
import { arrayParameter, join, raw, sql, type Sql } from '../database/sql';
import { groupByShape, type ChangeDiff, type ObjectDiff } from './change-diff';

/** How many names one statement returns. */
const MAX_REPORTED = 6;
/** Longer names are truncated in warnings, because they are sent in a header. */
const MAX_LENGTH = 60;

/** By kind: the column that names are unique within, such as the region of a cell; undefined: unique in the project. */
const COMPARED: ReadonlyMap<string, string | undefined> = new Map([
  ['cloud', undefined],
  ['region', undefined],
  ['cell', 'region_id'],
  ['label', undefined],
  ['host', undefined],
  ['network-device', undefined],
  ['user', undefined],
]);

/** A query for at most `MAX_REPORTED` warnings of a change, as a JSON array; undefined if it gives no resource a name. */
export function similarNames({ projectId, objects }: ChangeDiff): Sql | undefined {
  const named = objects.filter(({ before, after, name }) => after && before?.name !== name);
  const found = [...groupByShape(named)].flatMap((group) => similarNamesOf(group, projectId) ?? []);
  if (found.length === 0) return undefined;
  return sql`SELECT json_agg(s.text) FROM (SELECT f.text FROM (${join(found, ' UNION ALL ')}) AS f (text) LIMIT ${MAX_REPORTED}) s`;
}

/** The warnings, for a change that is not recorded. */
export async function findSimilarNames(on: Queryable, diff: ChangeDiff): Promise<readonly string[]> {
  const query = similarNames(diff);
  if (!query) return [];
  const [row] = await on.rows<{ similar: readonly string[] | null }>(sql`SELECT (${query}) AS similar`);
  return row?.similar ?? [];
}

/** Looks up each spelling in the unique index of the names. */
function similarNamesOf(group: readonly ObjectDiff[], projectId: string): Sql | undefined {
  const [first] = group;
  if (!first || !COMPARED.has(first.shape.kind)) return undefined;
  const { shape } = first;
  const scope = COMPARED.get(shape.kind);
  const rows = group.flatMap((object) =>
    similarSpellings(object.name).map((spelling) => ({
      name: object.name,
      spelling,
      scope: scope === undefined ? null : scopeOf(object, scope),
    })),
  );
  if (rows.length === 0) return undefined;
  const other = otherName(shape);
  return sql`
    SELECT ${shape.kind}::text || ' ' || ${shown(sql`n.name`)} || ' is easily mistaken for ' || o.kind || ' ' || ${shown(sql`o.name`)}
    FROM unnest(${arrayParameter(rows.map((row) => row.name))}::text[],
        ${arrayParameter(rows.map(({ spelling }) => spelling))}::text[],
        ${arrayParameter(rows.map((row) => row.scope))}::bigint[]) AS n (name, spelling, scope)
      CROSS JOIN LATERAL (SELECT ${other.kind} AS kind, t.${other.name} AS name FROM ${other.table} t
        WHERE t.project_id = ${projectId} AND t.${other.name} = n.spelling
          AND ${scope === undefined ? sql`true` : sql`t.${raw(scope)} = n.scope`} OFFSET 0) o`;
}

/** Devices of all kinds share their names, and other kinds have a table each. */
const otherName = ({ kind, kindCondition, nameField, table }: ResourceShape) => ({
  kind: kindCondition === undefined ? sql`${kind}::text` : sql`t.kind`,
  name: raw(nameField),
  table: raw(table),
});

const scopeOf = ({ after }: ObjectDiff, member: string): number =>
  Number((JSON.parse(after?.members ?? '{}') as Readonly<Record<string, unknown>>)[member]);

const shown = (name: Sql): Sql =>
  sql`CASE WHEN length(${name}) > ${MAX_LENGTH} THEN left(${name}, ${MAX_LENGTH}) || '…' ELSE ${name} END`;
