import type { ProjectScope } from '../../core/context/request-context';
import type { Queryable } from '../../database/database';
import { join, list, raw, sql, type Sql } from '../../database/sql';
import { jsonPathOf, type VariableFilter } from './filter-parser';

/** A region, cell or label that sets the filter's key, and whether its value matches. */
export interface DefiningLevel {
  readonly project_id: string;
  readonly id: number;
  readonly matches: boolean;
}

/** Where a filter's key is set. Labels are in the order of their names. */
export interface FilterLevels {
  readonly filter: VariableFilter;
  readonly path: string;
  readonly regions: readonly DefiningLevel[];
  readonly cells: readonly DefiningLevel[];
  readonly labels: readonly DefiningLevel[];
  /** The projects in which some of the listed resources set the key themselves. */
  readonly own: readonly string[];
}

interface Row extends DefiningLevel {
  [column: string]: unknown;
  readonly filter: number;
  readonly kind: 'region' | 'cell' | 'label' | 'own';
}

const LEVELS = { region: 'regions', cell: 'cells', label: 'labels' } as const;

/**
 * Asks, in one query, which few regions, cells and labels set the filters' keys, and which of those match.
 * @param kind the kind of the listed resources; undefined: of several, and then any may set any key
 * @param levels the levels that they inherit from
 */
export async function readFilterLevels(
  on: Queryable,
  filters: readonly VariableFilter[],
  kind: string | undefined,
  levels: readonly (keyof typeof LEVELS)[],
  scope: ProjectScope,
): Promise<FilterLevels[]> {
  const paths = filters.map(jsonPathOf);
  const projects =
    scope === 'every project' ? sql`projects p` : sql`(SELECT ${scope.project}::uuid AS id) AS p`;
  const asked = sql`unnest(${list(filters.map((f) => f.key))}::text[], ${list(paths)}::text[]) WITH ORDINALITY AS f (key, path, n)`;
  const parts = levels.map((kind) => {
    const label = kind === 'label' ? 't.label' : 'NULL::text COLLATE "C"';
    return sql`
      SELECT f.n AS filter, ${kind}::text AS kind, t.project_id, t.id, t.variables @? f.path::jsonpath AS matches,
        ${raw(label)} AS label
      FROM ${asked} CROSS JOIN ${projects}
      JOIN variable_correlations v ON v.project_id = p.id AND v.key = f.key AND v.object_type = ${kind}
      JOIN ${raw(LEVELS[kind])} t ON t.project_id = v.project_id AND t.id = v.object_id`;
  });
  // One look into the index for each project. The order is the index's: without it, the planner may hope to come across
  // one soon by reading the table, and where there is none it reads all of it.
  const set =
    kind === undefined
      ? sql``
      : sql`CROSS JOIN LATERAL (SELECT FROM variable_correlations v WHERE v.project_id = p.id AND v.key = f.key
          AND v.object_type = ${kind} ORDER BY v.object_id LIMIT 1) AS found`;
  const own: Sql = sql`
    SELECT f.n, 'own', p.id, NULL::bigint, f.path::jsonpath IS NOT NULL, NULL::text
    FROM ${asked} CROSS JOIN ${projects} ${set}`;
  const rows = await on.rows<Row>(
    sql`SELECT filter, kind, project_id, id, matches FROM (${join([...parts, own], ' UNION ALL ')})
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
