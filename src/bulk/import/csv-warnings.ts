import type { RequestContext } from '../../core/context/request-context';
import { arrayParameter, join, raw, sql, type Sql } from '../../database/sql';
import type { CsvColumns } from '../csv/csv-reader';
import { losesDigits } from '../csv/lost-digits';
import type { LineGroup } from './line-kinds';
import { INVALID_JSON_KEYS } from './new-values';

/**
 * A variable whose text a CSV file replaces by a number or boolean, or the other way round, as spreadsheets do; a list or object that
 * becomes one of these; or a number that loses digits.
 */
export interface TypeChange {
  readonly key: string;
  readonly before: string;
  readonly after: string;
}

/** Likely mistakes in a row of a CSV file: ignored empty cells and changed types. */
export interface CsvRowWarnings {
  /** How many empty cells are in the columns of values that the resource has. They change nothing. */
  readonly ignoredEmptyCells: number;
  readonly typeChanges: readonly TypeChange[];
  /** The variables whose types are compared with those of the project: new ones, and changed ones with invalid JSON. */
  readonly keysToCheck: readonly string[];
}

/** An existing resource, compared with its line. */
export interface ComparedRow {
  readonly id: number;
  readonly is_updated: boolean;
  /** Only for CSV files. */
  readonly ignored_empty_cells?: number;
  /** Only for CSV files. */
  readonly type_changes?: readonly ComparedValue[];
  /** Only for CSV files. */
  readonly keys_to_check?: readonly string[];
}

/** A possible warning. */
interface ComparedValue extends TypeChange {
  /** The present number and the one in the cell, if one replaces the other. */
  readonly numbers: readonly [stored: string, cell: string] | null;
}

/** The warnings by the ids of resources. Only visible variables are in them. */
export const csvWarningsById = (
  { visibility }: RequestContext,
  rows: readonly ComparedRow[],
): Map<number, CsvRowWarnings> =>
  new Map(
    rows.map(({ id, ignored_empty_cells = 0, type_changes = [], keys_to_check = [] }) => [
      id,
      {
        ignoredEmptyCells: ignored_empty_cells,
        typeChanges: type_changes
          .filter(({ key, numbers }) => visibility.sees(key) && (numbers === null || losesDigits(...numbers)))
          .map(({ key, before, after }) => ({ key, before, after })),
        keysToCheck: keys_to_check.filter((key) => visibility.sees(key)),
      },
    ]),
  );

/** Selects the warnings of lines `l` whose resources are rows `t`. */
export function csvWarningColumns(
  group: LineGroup,
  { members, keys }: CsvColumns,
  { visibility }: RequestContext,
): Sql {
  const columns = [
    ...group.columns.map(
      ({ column, stored = `t.${column}` }) => [column, `(${stored}) IS NOT NULL`] as const,
    ),
    ...group.references.map(({ member, column }) => [member, `t.${column} IS NOT NULL`] as const),
    ...(group.labels
      ? [
          [
            'labels',
            `EXISTS (SELECT FROM ${group.labels.table} a WHERE a.project_id = t.project_id AND a.${group.labels.owner} = t.id)`,
          ] as const,
        ]
      : []),
  ].filter(([member]) => members.includes(member));
  const emptyCells = [
    ...columns.map(([member, isSet]) => sql`(NOT l.body ? ${raw(`'${member}'`)} AND ${raw(isSet)})::int`),
    // A count of hidden variables would disclose that they are set.
    sql`(SELECT count(*)::int FROM jsonb_object_keys(t.variables) AS k (key)
      WHERE k.key = ANY(${arrayParameter(keys.filter((key) => visibility.sees(key)))}::text[])
        AND NOT COALESCE(l.body -> 'variables', '{}') ? k.key)`,
  ];
  return sql`${join(emptyCells, ' + ')} AS ignored_empty_cells, COALESCE((
    SELECT jsonb_agg(jsonb_build_object('key', v.key, 'before', ${TYPE_BEFORE}, 'after', ${TYPE_AFTER},
      'numbers', CASE WHEN ${IS_OTHER_NUMBER} THEN jsonb_build_array(t.variables ->> v.key, v.value #>> '{}') END) ORDER BY v.key)
    FROM jsonb_each(l.body -> 'variables') AS v (key, value)
    WHERE (${TYPE_BEFORE} = 'string' AND ${TYPE_AFTER} IN ('number', 'boolean'))
      OR (${TYPE_BEFORE} IN ('number', 'boolean') AND ${TYPE_AFTER} = 'string')
      OR (${TYPE_BEFORE} IN ('array', 'object') AND ${TYPE_AFTER} IN ('string', 'number', 'boolean'))
      OR ${IS_OTHER_NUMBER}), '[]') AS type_changes,
    ARRAY(SELECT n.key FROM jsonb_each(l.body -> 'variables') AS n (key, value) WHERE NOT t.variables ? n.key
      OR (l.body -> ${raw(`'${INVALID_JSON_KEYS}'`)} ? n.key AND t.variables -> n.key <> n.value)) AS keys_to_check`;
}

const TYPE_BEFORE = sql`jsonb_typeof(t.variables -> v.key)`;
const TYPE_AFTER = sql`jsonb_typeof(v.value)`;
/** In characters. Longer numbers are not compared: 1e131000 has that many digits, in each of many rows. */
const MAX_COMPARED_LENGTH = 1_000;
const IS_COMPARED = raw(
  `length(t.variables ->> v.key) <= ${String(MAX_COMPARED_LENGTH)} AND length(v.value #>> '{}') <= ${String(MAX_COMPARED_LENGTH)}`,
);
/** `CASE` keeps the order of the conditions. */
const IS_OTHER_NUMBER = sql`CASE WHEN ${TYPE_BEFORE} = 'number' AND ${TYPE_AFTER} = 'number'
  THEN ${IS_COMPARED} AND t.variables -> v.key <> v.value ELSE false END`;
