import type { Moment } from '../changes/point-in-time';
import { variablesUpTo } from '../changes/past-state';
import { raw, sql, type Sql } from '../database/sql';
import type { Inheritance } from './inheritance';
import { stampOf } from './level-cache';

/** Options of `targetColumns`. */
interface TargetColumnOptions {
  /** Read the version stamps of the levels: see `LevelCache`. For few targets, because each needs lookups. */
  readonly stamped?: boolean | undefined;
  /** Return null for own variables that are large. */
  readonly lightOnly?: boolean | undefined;
}

/** In bytes. PostgreSQL compresses larger values, or stores them out of line. */
const MAX_INLINE_SIZE = 2_048;

/** The columns of a `ResolutionTarget` over `t`. @param at the point in time that `t` was read for */
export function subjectColumns(
  inheritance: Inheritance,
  at?: Moment,
  options: TargetColumnOptions = {},
): Sql {
  return at ? pastColumns(inheritance) : raw(presentColumns(inheritance, options));
}

function pastColumns({ region = 'NULL::bigint', cell = 'NULL::bigint', labels }: Inheritance): Sql {
  const labelList = labels ? sql`NULLIF(array_to_string(t.label_ids, ','), '')` : sql`NULL::text`;
  return sql`t.project_id, ${variablesUpTo} AS own_variables, ${raw(region)} AS region_level,
    ${raw(cell)} AS cell_level, ${labelList} AS label_levels`;
}

function presentColumns(inheritance: Inheritance, { stamped, lightOnly }: TargetColumnOptions): string {
  const own = lightOnly
    ? `CASE WHEN pg_column_size(t.variables) <= ${String(MAX_INLINE_SIZE)} AND pg_column_compression(t.variables) IS NULL
        THEN t.variables::text END`
    : 't.variables::text';
  const levels = stamped ? stampedLevels(inheritance) : levelColumns(inheritance);
  return `t.project_id, ${own} AS own_variables, ${levels}`;
}

const levelColumns = (inheritance: Inheritance): string =>
  `${levelIdColumns(inheritance)}, ${labelIdList(inheritance)} AS label_levels`;

/** The columns of a `ResolutionTarget` for its levels, with their version stamps. */
export const stampedLevels = (inheritance: Inheritance): string =>
  `${levelIdColumns(inheritance)}, ${stampIn('regions', inheritance.region)} AS region_stamp,
    ${stampIn('cells', inheritance.cell)} AS cell_stamp, ${stampedLabelIdList(inheritance)} AS label_levels`;

const levelIdColumns = ({ region = 'NULL::bigint', cell = 'NULL::bigint' }: Inheritance): string =>
  `${region} AS region_level, ${cell} AS cell_level`;

const stampIn = (table: string, id: string | undefined): string =>
  id === undefined
    ? 'NULL::text'
    : `(SELECT ${stampOf('l')} FROM ${table} l WHERE l.project_id = t.project_id AND l.id = ${id})`;

const labelIdList = ({ labels }: Inheritance): string =>
  labels
    ? `(SELECT string_agg(a.label_id::text, ',') FROM ${labels.table} a
        WHERE a.project_id = t.project_id AND a.${labels.owner} = t.id)`
    : 'NULL::text';

const stampedLabelIdList = ({ labels }: Inheritance): string =>
  labels
    ? `(SELECT string_agg(l.id || ':' || ${stampOf('l')}, ',') FROM ${labels.table} a
        JOIN labels l ON l.project_id = a.project_id AND l.id = a.label_id
        WHERE a.project_id = t.project_id AND a.${labels.owner} = t.id)`
    : 'NULL::text';
