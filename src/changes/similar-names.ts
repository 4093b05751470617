import type { Queryable } from '../database/queryable';
import type { ResourceMapping } from '../database/resource-mapping';
import { arrayParameter, join, raw, sql, textArray, type Sql } from '../database/sql';
import { groupByMapping, type ChangeDiff, type ObjectDiff } from './change-diff';

/** How many names one statement returns. */
const MAX_REPORTED = 6;
/** Longer names are truncated in warnings, because they are sent in a header. */
const MAX_LENGTH = 60;

/**
 * By table: the column that names are unique within, such as the region of a cell; undefined: unique in the project. Devices
 * of all kinds share a table, and so their names.
 */
const COMPARED: ReadonlyMap<string, 'region_id' | undefined> = new Map([
  ['clouds', undefined],
  ['regions', undefined],
  ['cells', 'region_id'],
  ['labels', undefined],
  ['devices', undefined],
  ['users', undefined],
]);

/** A query for at most `MAX_REPORTED` warnings of a change, as a JSON array; undefined if it gives no resource a name. */
export function similarNames({ projectId, objects }: ChangeDiff): Sql | undefined {
  const named = objects.filter(({ before, after, name }) => after && before?.name !== name);
  const found = [...groupByMapping(named)].flatMap((group) => similarNamesOf(group, projectId) ?? []);
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

/** Looks up the skeleton of each name in the index of the skeletons of the table's names. */
function similarNamesOf(group: readonly ObjectDiff[], projectId: string): Sql | undefined {
  const [first] = group;
  if (!first || !COMPARED.has(first.mapping.table)) return undefined;
  const { mapping } = first;
  const scope = COMPARED.get(mapping.table);
  const names = textArray(group.map(({ name }) => name));
  const scopes = arrayParameter(
    group.map(({ after }) => (scope === undefined ? null : (after?.regionId ?? null))),
  );
  const other = otherName(mapping);
  return sql`
    SELECT ${mapping.kind}::text || ' ' || ${shown(sql`n.name`)} || ' is easily mistaken for ' || o.kind || ' ' || ${shown(sql`o.name`)}
    FROM unnest(${names}::text[], ${scopes}::bigint[]) AS n (name, scope)
      CROSS JOIN LATERAL (SELECT ${other.kind} AS kind, t.${other.name} AS name FROM ${other.table} t
        WHERE t.project_id = ${projectId} AND ${scope === undefined ? sql`true` : sql`t.${raw(scope)} = n.scope`}
          AND name_skeleton(t.${other.name}) = name_skeleton(n.name) AND t.${other.name} <> n.name OFFSET 0) o`;
}

const otherName = ({ kind, kindCondition, nameField, table }: ResourceMapping) => ({
  kind: kindCondition === undefined ? sql`${kind}::text` : sql`t.kind`,
  name: raw(nameField),
  table: raw(table),
});

const shown = (name: Sql): Sql =>
  sql`CASE WHEN length(${name}) > ${MAX_LENGTH} THEN left(${name}, ${MAX_LENGTH}) || '…' ELSE ${name} END`;
