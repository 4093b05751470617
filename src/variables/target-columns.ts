import type { Moment } from '../changes/point-in-time';
import { variablesUpTo } from '../changes/past-state';
import { raw, sql, type Sql } from '../database/sql';
import type { Inheritance } from './inheritance';
import { stampOf } from './level-cache';

/** How subjects are read. */
interface SubjectReading {
  /** With the stamps of their levels: see `KnownLevels`. For few subjects, because each looks them up. */
  readonly stamped?: boolean | undefined;
  /** Without own variables that are heavy: these are null. */
  readonly lightOnly?: boolean | undefined;
}

/** In bytes. PostgreSQL keeps about so much within a row as it is; what is longer is compressed, or stands elsewhere. */
const LIGHT = 2_048;

/** The columns of a `Subject` over `t`. @param at the moment that `t` is of */
export function subjectColumns(inheritance: Inheritance, at?: Moment, reading: SubjectReading = {}): Sql {
  return at ? pastColumns(inheritance) : raw(presentColumns(inheritance, reading));
}

function pastColumns({ region = 'NULL::bigint', cell = 'NULL::bigint', labels }: Inheritance): Sql {
  const carried = labels ? sql`NULLIF(array_to_string(t.label_ids, ','), '')` : sql`NULL::text`;
  return sql`t.project_id, ${variablesUpTo} AS own_variables, ${raw(region)} AS region_level,
    ${raw(cell)} AS cell_level, ${carried} AS label_levels`;
}

function presentColumns(inheritance: Inheritance, { stamped, lightOnly }: SubjectReading): string {
  const own = lightOnly
    ? `CASE WHEN pg_column_size(t.variables) <= ${String(LIGHT)} AND pg_column_compression(t.variables) IS NULL
        THEN t.variables::text END`
    : 't.variables::text';
  const levels = stamped ? stampedLevels(inheritance) : levelsOf(inheritance);
  return `t.project_id, ${own} AS own_variables, ${levels}`;
}

const levelsOf = (inheritance: Inheritance): string =>
  `${levelIds(inheritance)}, ${labelIds(inheritance)} AS label_levels`;

/** Of the columns of a `Subject` those for its levels, with their stamps. */
export const stampedLevels = (inheritance: Inheritance): string =>
  `${levelIds(inheritance)}, ${stampIn('regions', inheritance.region)} AS region_stamp,
    ${stampIn('cells', inheritance.cell)} AS cell_stamp, ${stampedLabelIds(inheritance)} AS label_levels`;

const levelIds = ({ region = 'NULL::bigint', cell = 'NULL::bigint' }: Inheritance): string =>
  `${region} AS region_level, ${cell} AS cell_level`;

const stampIn = (table: string, id: string | undefined): string =>
  id === undefined
    ? 'NULL::text'
    : `(SELECT ${stampOf('l')} FROM ${table} l WHERE l.project_id = t.project_id AND l.id = ${id})`;

const labelIds = ({ labels }: Inheritance): string =>
  labels
    ? `(SELECT string_agg(a.label_id::text, ',') FROM ${labels.table} a
        WHERE a.project_id = t.project_id AND a.${labels.owner} = t.id)`
    : 'NULL::text';

const stampedLabelIds = ({ labels }: Inheritance): string =>
  labels
    ? `(SELECT string_agg(l.id || ':' || ${stampOf('l')}, ',') FROM ${labels.table} a
        JOIN labels l ON l.project_id = a.project_id AND l.id = a.label_id
        WHERE a.project_id = t.project_id AND a.${labels.owner} = t.id)`
    : 'NULL::text';
