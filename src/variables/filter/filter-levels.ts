import type { ProjectScope } from '../../core/context/request-context';
import type { Queryable } from '../../database/database';
import { join, list, raw, sql, type Sql } from '../../database/sql';
import { jsonPathOf, type VariableFilter } from './filter-parser';

/** A region, cell or label that defines the key of a filter, and whether its value matches. */
export interface DefiningLevel {
  readonly project_id: string;
  readonly id: number;
  readonly matches: boolean;
}

/** Where the key of a filter is defined. Labels are in the order of their names. */
export interface FilterLevels {
  readonly filter: VariableFilter;
  readonly path: string;
  readonly regions: readonly DefiningLevel[];
  readonly cells: readonly DefiningLevel[];
  readonly labels: readonly DefiningLevel[];
  /** The projects in which listed resources have own values of the key. */
  readonly own: readonly string[];
}

interface Row extends DefiningLevel {
  [column: string]: unknown;
  readonly filter: number;
  readonly kind: 'region' | 'cell' | 'label' | 'own';
}

const LEVEL_TABLES = { region: 'regions', cell: 'cells', label: 'labels' } as const;

/**
 * Reads, with one query, the regions, cells and labels that define the keys of filters, and whether they match. There
 * are few of them.
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
  const paths = filters.map(jsonPathOf);
  const projects =
    scope === 'every project' ? sql`projects p` : sql`(SELECT ${scope.project}::uuid AS id) AS p`;
  const wanted = sql`unnest(${list(filters.map((f) => f.key))}::text[], ${list(paths)}::text[]) WITH ORDINALITY AS f (key, path, n)`;
  const arms = levels.map((kind) => {
    const label = kind === 'label' ? 't.label' : 'NULL::text COLLATE "C"';
    return sql`
      SELECT f.n AS filter, ${kind}::text AS kind, t.project_id, t.id, t.variables @? f.path::jsonpath AS matches,
        ${raw(label)} AS label
      FROM ${wanted} CROSS JOIN ${projects}
      JOIN variable_correlations v ON v.project_id = p.id AND v.key = f.key AND v.object_type = ${kind}
      JOIN ${raw(LEVEL_TABLES[kind])} t ON t.project_id = v.project_id AND t.id = v.object_id`;
  });
  // One index lookup for each project. ORDER BY forces the use of the index: without it, the planner can choose a
  // sequential scan in the hope of an early match, and reads the whole table if there is none.
  const hasOwn =
    kind === undefined
      ? sql``
      : sql`CROSS JOIN LATERAL (SELECT FROM variable_correlations v WHERE v.project_id = p.id AND v.key = f.key
          AND v.object_type = ${kind} ORDER BY v.object_id LIMIT 1) AS found`;
  const own: Sql = sql`
    SELECT f.n, 'own', p.id, NULL::bigint, f.path::jsonpath IS NOT NULL, NULL::text
    FROM ${wanted} CROSS JOIN ${projects} ${hasOwn}`;
  const rows = await on.rows<Row>(
    sql`SELECT filter, kind, project_id, id, matches FROM (${join([...arms, own], ' UNION ALL ')})
      AS found (filter, kind, project_id, id, matches, label) ORDER BY label, id`,
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
    };
  });
}
