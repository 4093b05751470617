import type { ProjectScope } from '../../core/context/request-context';
import type { Queryable } from '../../database/database';
import { from, lookUp, NO_VALUE_HASH, valueHash } from '../../database/resource-sql';
import { join, opaqueArray, raw, sql, type Sql } from '../../database/sql';
import { comparesWholeValue, isIndexable, toJsonPath, type VariableFilter } from './filter-parser';

/** A region, cell or label that sets the key of a filter, and whether its value matches. */
export interface FilterLevel {
  readonly project_id: string;
  readonly id: number;
  readonly matches: boolean;
}

/** Where the key of a filter is set. Labels are in the order of their names. */
export interface FilterLevels {
  readonly filter: VariableFilter;
  readonly path: string;
  readonly regions: readonly FilterLevel[];
  readonly cells: readonly FilterLevel[];
  readonly labels: readonly FilterLevel[];
  /** The projects in which listed resources have own values of the key. */
  readonly own: readonly string[];
  /** Whether all of these values are scalars. Not known of several kinds. */
  readonly hasScalarsOnly: boolean;
  /** Whether few resources have them. Known only of a filter with a wildcard and of one kind. */
  readonly isRareKey: boolean;
}

interface Row extends FilterLevel {
  [column: string]: unknown;
  readonly filter: number;
  readonly kind: 'region' | 'cell' | 'label' | 'own';
  /** Of own values in a project: whether all of them are scalars. */
  readonly has_scalars_only: boolean | null;
  readonly is_rare_key: boolean | null;
}

/** Up to this many resources that set a key are read one by one, which takes a few milliseconds. */
const MAX_RARE_KEY_OWNERS = 4096;

/** A kind in the text of a statement. As a parameter, the planner would expect few rows of it, and plan each execution. */
export const constant = (kind: string): Sql => raw(`'${kind}'::text`);

const LEVEL_TABLES = { region: 'regions', cell: 'cells', label: 'labels' } as const;

/**
 * Reads, with one query, the regions, cells and labels that define the keys of filters, and whether they match. There
 * are few of them, so they are looked up: a join would read all levels of the project, and all of their keys. A document is
 * read only if the hash of the value does not show that it is another one.
 * @param kind the kind of the listed resources; undefined: several kinds, each of which can have own values of any key
 * @param levels the levels that they inherit from
 */
export async function readFilterLevels(
  on: Queryable,
  filters: readonly VariableFilter[],
  kind: string | undefined,
  levels: readonly (keyof typeof LEVEL_TABLES)[],
  scope: ProjectScope,
): Promise<FilterLevels[]> {
  const paths = filters.map(toJsonPath);
  const projects =
    scope === 'every project' ? sql`projects p` : sql`(SELECT ${scope.project}::uuid AS id) AS p`;
  const keys = opaqueArray(
    filters.map(({ key }) => key),
    'text',
  );
  // Null for a part of a value.
  const values = opaqueArray(
    filters.map((filter) => (comparesWholeValue(filter) ? filter.value : null)),
    'jsonb',
  );
  const wanted = sql`(SELECT f.key, f.path, f.n, CASE WHEN f.value IS NOT NULL THEN ${valueHash(sql`f.key`, sql`f.value`)} END AS hash
    FROM unnest(${keys}, ${opaqueArray(paths, 'jsonpath')}, ${values}) WITH ORDINALITY AS f (key, path, value, n) OFFSET 0) f`;
  const arms = levels.map((kind) => {
    const mapping = { table: LEVEL_TABLES[kind] };
    const [matches, row, label] =
      kind === 'label'
        ? [sql`t.variables @? f.path`, lookUp(mapping, sql`p.id`, sql`v.object_id`), sql`t.label`]
        : [
            sql`(SELECT t.variables @? f.path ${from(mapping)} WHERE t.project_id = p.id AND t.id = v.object_id)`,
            sql``,
            sql`NULL::text COLLATE "C"`,
          ];
    return sql`
      SELECT f.n AS filter, ${constant(kind)} AS kind, p.id AS project_id, v.object_id AS id,
        CASE WHEN v.value_hash <> ${NO_VALUE_HASH} AND v.value_hash <> f.hash THEN false ELSE ${matches} END AS matches,
        NULL::boolean AS has_scalars_only, NULL::boolean AS is_rare_key, ${label} AS label
      FROM ${wanted} CROSS JOIN ${projects}
      CROSS JOIN LATERAL (SELECT v.object_id, v.value_hash FROM variable_correlations v WHERE v.project_id = p.id
        AND v.key = f.key AND v.object_type = ${constant(kind)} OFFSET 0) v ${row}`;
  });
  // Two index lookups for each project. ORDER BY forces the use of the index: without it, the planner can choose a
  // sequential scan in the hope of an early match, and reads the whole table if there is none.
  const hasOwn =
    kind === undefined
      ? sql``
      : sql`CROSS JOIN LATERAL (SELECT FROM variable_correlations v WHERE v.project_id = p.id AND v.key = f.key
          AND v.object_type = ${constant(kind)} ORDER BY v.object_id LIMIT 1) AS found`;
  // With `=`, the planner would drop ORDER BY as redundant, and could choose a sequential scan. BETWEEN keeps it.
  const hasScalarsOnly =
    kind === undefined
      ? sql`false`
      : sql`(SELECT true FROM variable_correlations v WHERE v.project_id = p.id AND v.key = f.key
          AND v.object_type BETWEEN ${constant(kind)} AND ${constant(kind)} AND v.value_hash = ${NO_VALUE_HASH}
          ORDER BY v.object_type LIMIT 1) IS NULL`;
  const isRareKey =
    kind === undefined || filters.every(isIndexable)
      ? sql`false`
      : sql`(SELECT true FROM variable_correlations v WHERE v.project_id = p.id AND v.key = f.key
          AND v.object_type = ${constant(kind)} ORDER BY v.object_id LIMIT 1 OFFSET ${raw(String(MAX_RARE_KEY_OWNERS))}) IS NULL`;
  const own: Sql = sql`
    SELECT f.n, 'own', p.id, NULL::bigint, true, ${hasScalarsOnly}, ${isRareKey}, NULL::text
    FROM ${wanted} CROSS JOIN ${projects} ${hasOwn}`;
  const rows = await on.rows<Row>(
    // A cell that does not match matters only if it overrides a region that does.
    sql`WITH found AS MATERIALIZED (SELECT * FROM (${join([...arms, own], ' UNION ALL ')})
        AS found (filter, kind, project_id, id, matches, has_scalars_only, is_rare_key, label))
      SELECT filter, kind, project_id, id, matches, has_scalars_only, is_rare_key FROM found
      WHERE matches OR kind = 'label' OR (kind = 'cell' AND filter IN (SELECT filter FROM found WHERE matches AND kind = 'region'))
      ORDER BY label, id`,
  );
  return filters.map((filter, i) => {
    const ofKind = (kind: Row['kind']) => rows.filter((row) => row.filter === i + 1 && row.kind === kind);
    return {
      filter,
      path: paths[i] ?? '',
      regions: ofKind('region'),
      cells: ofKind('cell'),
      labels: ofKind('label'),
      own: ofKind('own').map((row) => row.project_id),
      hasScalarsOnly: ofKind('own').every((row) => row.has_scalars_only === true),
      isRareKey: ofKind('own').every((row) => row.is_rare_key === true),
    };
  });
}
