import { Injectable, Logger } from '@nestjs/common';
import type { RequestContext } from '../../core/context/request-context';
import type { Visibility } from '../../core/context/variable-keys';
import type { InventoryError } from '../../core/errors';
import { isVisible } from '../../database/resource-sql';
import { arrayParameter, raw, sql, type Sql } from '../../database/sql';
import { Database } from '../../database/database';
import { CsvHeaderError } from '../csv/csv-reader';
import { KINDS_WITH_VARIABLES } from './line-kinds';

/** A column of a variable that no resource sets, and whose key is easily mistaken for another one, such as `Kernel` for `kernel`. */
export interface SimilarKey {
  readonly key: string;
  /** A key that resources set, or that of another column. */
  readonly similar_to: string;
}

/** The maximum number of similar keys in a response. */
export const MAX_REPORTED_SIMILAR_KEYS = 100;

/** The maximum number of columns whose keys are compared. A table can have 16,384 columns. */
const MAX_COMPARED_COLUMNS = 1_000;

/** The columns are compared with this many keys of the project, the first ones in order. */
const MAX_KEYS = raw('10000');

interface ComparedKey {
  readonly [column: string]: unknown;
  readonly key: string;
  readonly skeleton: string;
}

/** The keys of a table that are compared with those of the project: the first ones that the caller sees. */
export const comparedKeys = (visibility: Visibility, keys: readonly string[]): string[] =>
  keys.filter((key) => visibility.sees(key)).slice(0, MAX_COMPARED_COLUMNS);

/**
 * Finds the keys of a table that are easily mistaken for others, as names of resources are: see `changes/similar-names.ts`. A
 * variable is set by its exact key, so such a column makes a new one. The explorer maps columns to variables by a rule of its own
 * (`normalizedName` in column-targets.ts): case, spaces, hyphens and underscores.
 */
@Injectable()
export class SimilarKeys {
  private readonly log = new Logger('Import');

  constructor(private readonly database: Database) {}

  /** @param allKeys those of the columns, of which `comparedKeys` are compared */
  async find(ctx: RequestContext, allKeys: readonly string[]): Promise<readonly SimilarKey[]> {
    const { visibility, projectId } = ctx;
    const keys = comparedKeys(visibility, allKeys);
    if (keys.length === 0) return [];
    const reader = this.database.reader(ctx);
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
   * Explains an error of reading a table: if its header is invalid, the error names the keys that its columns are easily mistaken for.
   * @returns the same error if it is another one, or if the keys of the project cannot be read
   */
  async explainHeaderError(ctx: RequestContext, error: InventoryError): Promise<InventoryError> {
    if (!(error instanceof CsvHeaderError)) return error;
    const possibleKeys = error.faults.flatMap(({ possibleKey }) => possibleKey ?? []);
    try {
      return new ExplainedHeaderError(
        error,
        await this.find(ctx, [...new Set([...error.keys, ...possibleKeys])]),
      );
    } catch (failure) {
      const cause = String(failure);
      this.log.warn({ request_id: ctx.requestId, error: cause }, 'The keys of a project could not be read.');
      return error;
    }
  }
}

/** The error of a header that suggests keys that are in use for columns that lack the prefix of variables. */
class ExplainedHeaderError extends CsvHeaderError {
  constructor(
    { faults, keys }: CsvHeaderError,
    private readonly similarKeys: readonly SimilarKey[],
  ) {
    const similarTo = new Map(similarKeys.map(({ key, similar_to }) => [key, similar_to]));
    super(faults, keys, (key) => similarTo.get(key) ?? key);
  }

  /** The similar keys of columns of variables. The message has the others. */
  override get extraMembers(): Readonly<Record<string, unknown>> {
    const keys = new Set(this.keys);
    const ofVariables = this.similarKeys.filter(({ key }) => keys.has(key));
    return { similar_keys: ofVariables.slice(0, MAX_REPORTED_SIMILAR_KEYS) };
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
