import type { DocumentMembers } from '../core/json/json-text';
import { compareCodePoints } from '../core/code-points';
import type { Queryable } from '../database/database';
import type { PlanMode } from '../database/queryable';
import type { LabelTable } from '../database/resource-mapping';
import { lookUp, NO_VALUE_HASH } from '../database/resource-sql';
import { arrayParameter, join, raw, sql, type Sql } from '../database/sql';

/**
 * Which level determines the value of a variable: the narrowest one that sets it, of region, cell, labels and the resource
 * itself, and of several labels the last one by name. Only this file knows that: in TypeScript, `comparePrecedence` and
 * `decidingLevel`; in SQL, `narrowestValue` and `noNarrowerSets` for the kinds, `keyLevels` and `lastLabelValue` for labels.
 */

/** The kinds of levels that variables are inherited from, broadest first. */
export const LEVEL_KINDS = ['region', 'cell', 'label'] as const;
export type LevelKind = (typeof LEVEL_KINDS)[number];

/** The kinds of levels from the resource itself to the broadest one. */
const NARROWEST_FIRST = ['own', ...LEVEL_KINDS.toReversed()] as const;

/** The tables of levels, and the columns with their names. */
export const LEVEL_TABLES = {
  region: { table: 'regions', name: 'name' },
  cell: { table: 'cells', name: 'name' },
  label: { table: 'labels', name: 'label' },
} as const satisfies Record<LevelKind, { readonly table: string; readonly name: string }>;

export const isLevelKind = (kind: string): kind is LevelKind => LEVEL_KINDS.some((level) => level === kind);

/** What determines the precedence of a level. */
interface RankedLevel {
  readonly kind: LevelKind;
  /** Needed of labels. */
  readonly name: string;
}

/** Compares the levels of a resource, broadest first: the value of a later one replaces that of an earlier one. */
export function comparePrecedence(a: RankedLevel, b: RankedLevel): number {
  if (a.kind === 'label' && b.kind === 'label') return compareCodePoints(a.name, b.name);
  return LEVEL_KINDS.indexOf(a.kind) - LEVEL_KINDS.indexOf(b.kind);
}

/** The value of the narrowest of a resource's levels that has one. */
export const narrowest = <V>(
  levels: readonly (RankedLevel & { readonly value: V | undefined })[],
): V | undefined =>
  levels
    .filter(({ value }) => value !== undefined)
    .sort(comparePrecedence)
    .at(-1)?.value;

/**
 * The level that determines the value of a key; undefined if none sets it.
 * @param levels those of a resource, broadest first
 * @param key a JSON string
 */
export const decidingLevel = <L extends { readonly members: DocumentMembers }>(
  levels: readonly L[],
  key: string,
): L | undefined => levels.findLast(({ members }) => members.has(key));

/** What a level contributes to a value, as SQL. */
interface Layer {
  readonly value: Sql;
  /** Whether the level sets the key. Absent: the value is NULL if it does not. */
  readonly isSet?: Sql;
}

/** The value of the narrowest level that sets a key. Of the broadest of the layers, it is the value even if that is not set. */
export const narrowestValue = (
  layers: Readonly<Partial<Record<LevelKind | 'own', Layer | undefined>>>,
): Sql =>
  NARROWEST_FIRST.map((kind) => layers[kind])
    .filter((layer) => layer !== undefined)
    .reduceRight<Sql | undefined>((broader, { value, isSet }) => {
      if (!broader) return value;
      return isSet
        ? sql`CASE WHEN ${isSet} THEN ${value} ELSE ${broader} END`
        : sql`COALESCE(${value}, ${broader})`;
    }, undefined) ?? sql`NULL`;

/**
 * The conditions under which the levels of a kind determine the value: no narrower level sets the key.
 * @param isUnset the condition that no level of a kind sets the key; absent: no level of it does
 */
export const noNarrowerSets = (
  kind: LevelKind,
  isUnset: Readonly<Partial<Record<LevelKind | 'own', Sql | undefined>>>,
): Sql[] =>
  NARROWEST_FIRST.slice(0, NARROWEST_FIRST.indexOf(kind)).flatMap((narrower) => isUnset[narrower] ?? []);

/** A region, cell or label that sets a key. */
export interface KeyLevel<Value> extends RankedLevel {
  readonly project_id: string;
  readonly id: number;
  /** The name of a label; empty for others. */
  readonly name: string;
  /** The region of a cell, if the rows of levels are read. */
  readonly region_id: number | null;
  /** What is read of its value. */
  readonly value: Value;
}

interface LevelsByKind<Level> {
  readonly regions: readonly Level[];
  readonly cells: readonly Level[];
  readonly labels: readonly Level[];
}

/** Where a key is set. Labels are in the order of their precedence. */
export interface KeyLevels<Level, Own> extends LevelsByKind<Level> {
  /** What is read of the resources that set the key themselves; empty if there are none. */
  readonly own: readonly Own[];
}

/** Groups levels by their kinds, in their order. */
export const byKind = <Level extends { readonly kind: LevelKind }>(
  levels: readonly Level[],
): LevelsByKind<Level> => {
  const ofKind = (kind: LevelKind) => levels.filter((level) => level.kind === kind);
  return { regions: ofKind('region'), cells: ofKind('cell'), labels: ofKind('label') };
};

/** All levels that set a key, except for the resources themselves. */
export const allLevels = <Level>({ regions, cells, labels }: LevelsByKind<Level>): Level[] => [
  ...regions,
  ...cells,
  ...labels,
];

/** A test of the values of levels, whose documents can be large. */
export interface LevelTest {
  /** The result, as far as the correlation `v` tells, over it and `k`; else NULL. */
  readonly known: Sql;
  /** The hash that all scalars that meet it have, over `k`; NULL if there is no such hash. */
  readonly hash: Sql;
  /**
   * A document with the value of `k.key` alone, over `v` and `k`; NULL if the document of the level has to be read. Not used for
   * labels, whose rows are read for their names.
   */
  readonly stored: Sql;
  /** Whether a document meets it, over `k`. */
  readonly meets: (document: Sql) => Sql;
  /**
   * The numbers of keys, as an array, of which all false values are returned. Of others, those of levels that no level with a
   * true value can be behind are left out.
   */
  readonly keepsFalseOf: Sql;
}

/** The keys whose levels are read, and what is read of these. */
interface KeyLevelsQuery {
  /** The keys, as rows `k (n, project_id, key)`; `n` numbers them from 1. */
  readonly keys: Sql;
  /** All by default. */
  readonly kinds?: readonly LevelKind[];
  /** The `value` of a level, as an expression over its row `t` and `k`. Absent: the rows of levels are not read. */
  readonly value?: Sql;
  /** The same as a boolean, for which few rows of levels are read. */
  readonly test?: LevelTest;
  /** What is read of own values, as `json` over `k` and further rows, which are joined to it. */
  readonly own?: { readonly value: Sql; readonly joined: Sql };
  /** Whether labels are in the order of their precedence; true by default. Of many levels, sorting takes most of the time. */
  readonly isOrdered?: boolean;
}

/** A kind in the text of a statement. As a parameter, the planner would expect few rows of it, and plan each execution. */
export const constant = (kind: string): Sql => raw(`'${kind}'::text`);

/** The keys `k` of a project. Of a single key, the planner knows how many levels set it. */
export const keysOf = (projectId: string, keys: readonly string[]): Sql =>
  keys.length === 1
    ? sql`(SELECT 1::bigint AS n, ${keys[0]}::text AS key, ${projectId}::uuid AS project_id) k`
    : sql`(SELECT u.n, u.key, ${projectId}::uuid AS project_id
        FROM unnest(${arrayParameter(keys)}::text[]) WITH ORDINALITY AS u (key, n)) k`;

/** The CTE that has the keys, in a query with a test: so their parameters are parsed once. */
const WANTED_KEYS = raw('wanted_keys');
/** The CTE that has the regions: cells read from it whether a region has a true value. */
const TESTED_REGIONS = raw('tested_regions');

/**
 * A query for the levels that set keys, as rows of `KeyLevelRow`. With a test, the levels are looked up: there are few of
 * them, and in a plan for all values, a join could read all levels of the project, and all of their keys. Without it, the
 * planner chooses: if ten thousand cells set a key, a join takes a third of the time.
 */
export function keyLevels(wanted: KeyLevelsQuery): Sql {
  const { kinds = LEVEL_KINDS, test, own, isOrdered = true } = wanted;
  const keys = test ? sql`${WANTED_KEYS} k` : wanted.keys;
  const query = { ...wanted, keys };
  const queries = kinds.map((kind) =>
    test && kind === 'region' ? sql`SELECT * FROM ${TESTED_REGIONS}` : levelsOfKind(kind, query),
  );
  if (own)
    queries.push(
      sql`SELECT k.n, 'own', NULL, NULL, NULL, NULL, ${raw(test ? 'NULL::boolean' : 'NULL')}, ${own.value} FROM ${keys} ${own.joined}`,
    );
  const found = sql`(${join(queries, ' UNION ALL ')}) AS found (n, kind, project_id, id, name, region_id, value, own)`;
  // Of several labels, the last one takes precedence. Other levels have no names, and their order does not matter.
  const order = isOrdered ? sql`ORDER BY name, id` : sql``;
  if (!test) return sql`SELECT * FROM ${found} ${order}`;
  const regions = kinds.includes('region')
    ? sql`${TESTED_REGIONS} AS MATERIALIZED (${levelsOfKind('region', query)}),`
    : sql``;
  return sql`WITH ${WANTED_KEYS} AS MATERIALIZED (SELECT * FROM ${wanted.keys}),
    ${regions} found AS MATERIALIZED (SELECT * FROM ${found})
    SELECT * FROM found WHERE kind IN ('own', 'label') OR value
      OR kind = 'cell' AND ${keepsFalse('cell', sql`n`, query, test)} OR ${keepsFalse('region', sql`n`, query, test)} ${order}`;
}

/**
 * The condition that the false values of a kind are returned: those of the keys in `keepsFalseOf`; of other keys, those of cells
 * if a region has a true value, which the cells hide.
 */
function keepsFalse(
  kind: 'region' | 'cell',
  n: Sql,
  { kinds = LEVEL_KINDS }: KeyLevelsQuery,
  test: LevelTest,
): Sql {
  const always = sql`${n} = ANY(${test.keepsFalseOf})`;
  return kind === 'cell' && kinds.includes('region')
    ? sql`(${always} OR ${n} IN (SELECT r.n FROM ${TESTED_REGIONS} r WHERE r.value))`
    : always;
}

/** The condition that a level sets the key of a row. @param id of the level; NULL: there is none */
export const setsKey = (kind: LevelKind, id: Sql, row: Sql): Sql =>
  sql`EXISTS (SELECT FROM variable_correlations v WHERE v.project_id = ${row}.project_id AND v.key = ${row}.key
    AND v.object_type = ${constant(kind)} AND v.object_id = ${id})`;

function levelsOfKind(kind: LevelKind, query: KeyLevelsQuery): Sql {
  const { keys, value, test } = query;
  const { table, name } = LEVEL_TABLES[kind];
  const hasRow = test ? kind === 'label' : value !== undefined;
  const column = (one: string, of: LevelKind, otherwise: string) =>
    raw(hasRow && kind === of ? `t.${one}` : otherwise);
  const ofKey = sql`v.project_id = k.project_id AND v.key = k.key AND v.object_type = ${constant(kind)}`;
  const isLevel = sql`t.project_id = k.project_id AND t.id = v.object_id`;
  const columns = sql`k.n, ${constant(kind)} AS kind, k.project_id, v.object_id AS id,
    ${column(name, 'label', `''::text COLLATE "C"`)} AS name, ${column('region_id', 'cell', 'NULL::bigint')} AS region_id`;
  if (!test)
    return sql`SELECT ${columns}, ${value ?? sql`NULL`} AS value, NULL::json AS own
      FROM ${keys} JOIN variable_correlations v ON ${ofKey} ${hasRow ? sql`JOIN ${raw(table)} t ON ${isLevel}` : sql``}`;
  const levels = (conditions: readonly Sql[]) => {
    const parts = conditions.map(
      (condition) => sql`SELECT v.object_id, v.value_hash FROM variable_correlations v WHERE ${condition}`,
    );
    return sql`${keys} CROSS JOIN LATERAL (${join(parts, ' UNION ALL ')} OFFSET 0) v`;
  };
  if (kind === 'label')
    return sql`SELECT ${columns}, COALESCE(${test.known}, ${test.meets(sql`t.variables`)}) AS value, NULL::json AS own
      FROM ${levels([ofKey])} ${lookUp({ table }, sql`k.project_id`, sql`v.object_id`)}`;
  // Levels that are known not to match are not read: a thousand cells can have a hundred values.
  const needsAll = sql`(${test.hash} IS NULL OR ${keepsFalse(kind, sql`k.n`, query, test)})`;
  const found = levels([
    sql`${ofKey} AND ${needsAll}`,
    sql`${ofKey} AND v.value_hash <> ${NO_VALUE_HASH} AND v.value_hash = ${test.hash} AND NOT ${needsAll}`,
    sql`${ofKey} AND v.value_hash = ${NO_VALUE_HASH} AND NOT ${needsAll}`,
  ]);
  // Many levels can have the same value, which is tested once.
  const sameValue = sql`PARTITION BY k.n, k.project_id, v.value_hash`;
  const ofStored = sql`bool_or(CASE WHEN v.is_first AND ${test.known} IS NULL
    THEN (SELECT ${test.meets(sql`s.document`)} FROM (SELECT ${test.stored} AS document OFFSET 0) s WHERE s.document IS NOT NULL) END)
    OVER (${sameValue})`;
  const document = sql`(SELECT t.variables FROM ${raw(table)} t WHERE ${isLevel})`;
  return sql`SELECT ${columns}, COALESCE(${test.known}, ${ofStored}, ${test.meets(document)}) AS value, NULL::json AS own
    FROM (SELECT k.*, v.*, row_number() OVER (${sameValue}) = 1 AS is_first FROM ${found}) k
    CROSS JOIN LATERAL (SELECT k.object_id, k.value_hash, k.is_first) v`;
}

/** A row of `keyLevels`: a level, or what is read of own values. */
type KeyLevelRow<Value, Own = never> = Readonly<Record<string, unknown>> & {
  /** The number of the key. */
  readonly n: number;
} & (KeyLevel<Value> | { readonly kind: 'own'; readonly own: Own });

/** Reads where keys are set, with one query. @param of what the keys belong to, in the order of their numbers */
export async function readKeyLevels<Of, Value, Own>(
  on: Queryable,
  of: readonly Of[],
  query: KeyLevelsQuery,
  planning?: PlanMode,
): Promise<(KeyLevels<KeyLevel<Value>, Own> & { readonly of: Of })[]> {
  const found = of.map(() => ({ levels: [] as KeyLevel<Value>[], own: [] as Own[] }));
  for (const row of await on.rows<KeyLevelRow<Value, Own>>(keyLevels(query), planning))
    if (row.kind === 'own') found[row.n - 1]?.own.push(row.own);
    else found[row.n - 1]?.levels.push(row);
  return of.map((one, i) => ({ ...byKind(found[i]?.levels ?? []), own: found[i]?.own ?? [], of: one }));
}

/** The value of a key that the last label of a row `t` sets; NULL if none does. */
export const lastLabelValue = (key: Sql, { table, owner }: LabelTable): Sql =>
  sql`(SELECT l.variables -> ${key} FROM ${raw(table)} a JOIN labels l ON l.project_id = a.project_id AND l.id = a.label_id
    WHERE a.project_id = t.project_id AND a.${raw(owner)} = t.id AND l.variables ? ${key} ORDER BY l.label DESC LIMIT 1)`;
