import type { RequestContext } from '../core/context/request-context';
import { list, raw, sql, type Sql } from '../database/sql';
import { from, isReadable, ofKind } from '../database/resource-sql';
import type { ResourceShape } from '../database/resource-shape';

/** A row of a page of resources with variables; or, as long as its own variables are null, the place of one. */
export interface ReferencedRow {
  readonly list_id: string;
  readonly project_id: string;
  /** About as many bytes as its own variables have, at most. */
  readonly weight: number;
  readonly own_variables: string | null;
}

/** As many as a page has where nothing is said. */
export const MAX_ROWS_PER_CHUNK = 1_000;
/** In bytes: see `ROW_SIZE`. */
const MAX_WEIGHT = 1024 * 1024;

/**
 * What tells the weight of a row of `t`, without a look at its variables. Text that repeats itself is stored in a
 * hundredth of its length at best, and in a third as a rule.
 */
export const ROW_SIZE = sql`pg_column_size(t.variables)
  * CASE WHEN pg_column_compression(t.variables) IS NULL THEN 1 ELSE 16 END AS weight`;

/** All that is read at first of pages that are longer than a portion: which rows they have. */
export const ROW_REFERENCE = sql`t.project_id, NULL::text AS own_variables, ${ROW_SIZE}`;

export const isReference = ({ own_variables: own }: ReferencedRow): boolean => own === null;

/** Cuts a page into what is held at once while it is sent, in its order: each as much as is light enough together. */
export function pageChunks<R extends ReferencedRow>(rows: readonly R[]): R[][] {
  const portions: R[][] = [];
  let portion: R[] = [];
  let weight = 0;
  for (const row of rows) {
    if (portion.length === MAX_ROWS_PER_CHUNK || (portion.length > 0 && weight + row.weight > MAX_WEIGHT)) {
      portions.push(portion);
      portion = [];
      weight = 0;
    }
    portion.push(row);
    weight += row.weight;
  }
  if (portion.length > 0) portions.push(portion);
  return portions;
}

/** The rows of places, in no order, as they are by now: who may no longer see one does not. */
export function referencedRows(
  places: readonly ReferencedRow[],
  shape: ResourceShape,
  ctx: RequestContext,
  shown: { readonly columns: Sql; readonly body: Sql },
): Sql {
  const projects = [...new Set(places.map(({ project_id: projectId }) => projectId))];
  return sql`SELECT t.id::text AS list_id, ${shown.columns}, ${shown.body} AS body ${from(shape)}
    WHERE t.project_id = ANY(${list(projects)}::uuid[]) AND ${ofKind(shape)} AND ${isReadable(shape, ctx)}
      AND t.id = ANY(${list(places.map(({ list_id: id }) => id))}::${raw(shape.idType)}[])`;
}
