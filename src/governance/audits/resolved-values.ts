import type { Queryable } from '../../database/database';
import { list, sql, type Sql } from '../../database/sql';
import { shortValue } from './expectation-predicate';

/** A device and the variable to resolve for it. */
export interface Asked {
  readonly id: number;
  readonly key: string;
}

interface ResolvedValueRow {
  readonly [column: string]: unknown;
  readonly n: number;
  /** NULL if the value is long or not set. */
  readonly value: string | null;
  readonly is_set: boolean;
}

/**
 * The resolved values of devices as JSON text, in the order of the requests; undefined if a key is not set. A long value
 * is read when the iteration reaches it, so a caller that stops early does not read the rest.
 */
export async function* resolvedValues(
  on: Queryable,
  projectId: string,
  requests: readonly Asked[],
): AsyncGenerator<string | undefined> {
  const rows = await on.rows<ResolvedValueRow>(sql`
    SELECT f.n, ${shortValue}, o.value IS NOT NULL AS is_set ${resolve(projectId, requests)} ORDER BY f.n`);
  for (const { n, value, is_set: isSet } of rows) {
    const request = requests.slice(n - 1, n);
    yield value ?? (isSet ? await readLongValue(on, projectId, request) : undefined);
  }
}

async function readLongValue(on: Queryable, projectId: string, request: readonly Asked[]): Promise<string> {
  const [row] = await on.rows<{ value: string }>(sql`SELECT o.value ${resolve(projectId, request)}`);
  if (!row) throw new Error('a device disappeared within a snapshot');
  return row.value;
}

/** The `FROM` clause that resolves the keys: the narrowest level that sets a key takes precedence, as in `Levels`. */
const resolve = (projectId: string, requests: readonly Asked[]): Sql => sql`
  FROM unnest(${list(requests.map(({ id }) => id))}::bigint[], ${list(requests.map(({ key }) => key))}::text[])
    WITH ORDINALITY AS f (id, key, n)
  JOIN devices t ON t.project_id = ${projectId} AND t.id = f.id
  CROSS JOIN LATERAL (SELECT COALESCE(
    t.variables -> f.key,
    (SELECT l.variables -> f.key FROM device_labels a
      JOIN labels l ON l.project_id = a.project_id AND l.id = a.label_id
      WHERE a.project_id = t.project_id AND a.device_id = t.id AND l.variables ? f.key
      ORDER BY l.label DESC LIMIT 1),
    (SELECT c.variables -> f.key FROM cells c WHERE c.project_id = t.project_id AND c.id = t.cell_id),
    (SELECT r.variables -> f.key FROM regions r WHERE r.project_id = t.project_id AND r.id = t.region_id)
  )::text AS value OFFSET 0) o`;
