import type { RequestContext } from '../../core/context/request-context';
import { isVisible } from '../../database/resource-sql';
import { arrayParameter, raw, sql, type Sql } from '../../database/sql';
import type { Transaction } from '../../database/database';

/** A column of a variable that no resource sets, and whose key is easily mistaken for another one, such as `Kernel` for `kernel`. */
export interface SimilarKey {
  readonly key: string;
  /** A key that resources set, or that of another column. */
  readonly similar_to: string;
}

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
 * @param keys those of the columns, which the caller sees
 * @param kinds the kinds of resources with variables
 */
export async function findSimilarKeys(
  { visibility }: Pick<RequestContext, 'visibility'>,
  { tx, projectId }: { readonly tx: Transaction; readonly projectId: string },
  keys: readonly string[],
  kinds: readonly string[],
): Promise<readonly SimilarKey[]> {
  const ofKinds = sql`t.project_id = ${projectId} AND t.object_type = ANY(${arrayParameter(kinds)}::text[])`;
  const columns = await tx.rows<ComparedKey>(
    sql`SELECT k.key, name_skeleton(k.key) AS skeleton FROM unnest(${arrayParameter(keys)}::text[]) AS k (key)
      WHERE NOT EXISTS (SELECT FROM variable_correlations t WHERE ${ofKinds} AND t.key = k.key OFFSET 0)`,
    'custom',
  );
  if (columns.length === 0) return [];
  const isSeen = isVisible(visibility, sql`k.key`);
  const known = await tx.rows<ComparedKey>(knownKeys(ofKinds, isSeen), 'custom');
  const bySkeleton = new Map<string, string>();
  for (const { key, skeleton } of known) bySkeleton.set(skeleton, key);
  return columns.flatMap(({ key, skeleton }): SimilarKey[] => {
    const similar = bySkeleton.get(skeleton);
    if (similar === undefined) bySkeleton.set(skeleton, key);
    return similar === undefined ? [] : [{ key, similar_to: similar }];
  });
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
