import type { RequestContext } from '../../core/context/request-context';
import { isVisible } from '../../database/resource-sql';
import { arrayParameter, raw, sql, type Sql } from '../../database/sql';
import type { Queryable } from '../../database/database';
import { CsvHeaderError } from '../csv/csv-reader';
import { KINDS_WITH_VARIABLES } from './line-kinds';

/** A column of a variable that no resource sets, and whose key is easily mistaken for another one, such as `Kernel` for `kernel`. */
export interface SimilarKey {
  readonly key: string;
  /** A key that resources set, or that of another column. */
  readonly similar_to: string;
}

/** Of how many columns the keys are compared. A table can have 16,384 columns. */
export const MAX_COMPARED_COLUMNS = 1_000;

/** The columns are compared with this many keys of the project, the first ones in order. */
const MAX_KEYS = raw('10000');

interface ComparedKey {
  readonly [column: string]: unknown;
  readonly key: string;
  readonly skeleton: string;
}

/**
 * Finds the keys of a table that are easily mistaken for others, as names of resources are: see `changes/similar-names.ts`. A
 * variable is set by its exact key, so such a column makes a new one.
 * @param allKeys those of the columns, of which the first ones that the caller sees are compared
 */
export async function findSimilarKeys(
  { visibility, projectId }: Pick<RequestContext, 'visibility' | 'projectId'>,
  reader: Queryable,
  allKeys: readonly string[],
): Promise<readonly SimilarKey[]> {
  const keys = allKeys.filter((key) => visibility.sees(key)).slice(0, MAX_COMPARED_COLUMNS);
  if (keys.length === 0) return [];
  const ofKinds = sql`t.project_id = ${projectId} AND t.object_type = ANY(${arrayParameter(KINDS_WITH_VARIABLES)}::text[])`;
  const columns = await reader.rows<ComparedKey>(
    sql`SELECT k.key, name_skeleton(k.key) AS skeleton FROM unnest(${arrayParameter(keys)}::text[]) AS k (key)
      WHERE NOT EXISTS (SELECT FROM variable_correlations t WHERE ${ofKinds} AND t.key = k.key OFFSET 0)`,
    'custom',
  );
  if (columns.length === 0) return [];
  const isSeen = isVisible(visibility, sql`k.key`);
  const known = await reader.rows<ComparedKey>(knownKeys(ofKinds, isSeen), 'custom');
  const bySkeleton = new Map<string, string>();
  for (const { key, skeleton } of known) bySkeleton.set(skeleton, key);
  return columns.flatMap(({ key, skeleton }): SimilarKey[] => {
    const similar = bySkeleton.get(skeleton);
    if (similar === undefined) bySkeleton.set(skeleton, key);
    return similar === undefined ? [] : [{ key, similar_to: similar }];
  });
}

/**
 * Reads the lines of a body. If the header of a table is invalid, its error names the keys that its columns are easily mistaken for.
 * @param find those of these keys that are easily mistaken, see `findSimilarKeys`
 */
export async function* withSimilarKeys<T>(
  lines: AsyncIterable<T>,
  find: (keys: readonly string[]) => Promise<readonly SimilarKey[]>,
): AsyncGenerator<T> {
  try {
    yield* lines;
  } catch (error) {
    throw error instanceof CsvHeaderError ? error.withMistakenKeys(await find(error.keys)) : error;
  }
}

/** The keys of a project. Each is found by one index lookup after the one before it, however many resources set it. */
const knownKeys = (ofKinds: Sql, isSeen: Sql): Sql => sql`
  WITH RECURSIVE chain (key) AS (
    (SELECT t.key FROM variable_correlations t WHERE ${ofKinds} ORDER BY t.key LIMIT 1)
    UNION ALL
    SELECT (SELECT t.key FROM variable_correlations t WHERE ${ofKinds} AND t.key > chain.key ORDER BY t.key LIMIT 1)
    FROM chain WHERE chain.key IS NOT NULL
  ) SELECT k.key, name_skeleton(k.key) AS skeleton
  FROM (SELECT chain.key FROM chain WHERE chain.key IS NOT NULL LIMIT ${MAX_KEYS}) k WHERE ${isSeen}`;
