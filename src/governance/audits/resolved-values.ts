import type { Queryable } from '../../database/database';
import { list, sql, type Sql } from '../../database/sql';
import { shortValue } from './expectation-predicate';

/** A device, and one of its keys. */
export interface Asked {
  readonly id: number;
  readonly key: string;
}

interface Row {
  readonly [column: string]: unknown;
  readonly n: number;
  /** NULL if it is long, or not there. */
  readonly value: string | null;
  readonly is_set: boolean;
}

/**
 * The values that devices resolve keys to, as JSON texts, in the order in which they are asked for; undefined where a
 * key is not set. Long ones are read when it is their turn, so whoever has enough need not read them all.
 */
export async function* resolvedValues(
  on: Queryable,
  projectId: string,
  asked: readonly Asked[],
): AsyncGenerator<string | undefined> {
  const rows = await on.rows<Row>(sql`
    SELECT f.n, ${shortValue}, o.value IS NOT NULL AS is_set ${resolved(projectId, asked)} ORDER BY f.n`);
  for (const { n, value, is_set: isSet } of rows) {
    const one = asked.slice(n - 1, n);
    yield value ?? (isSet ? await longValue(on, projectId, one) : undefined);
  }
}

async function longValue(on: Queryable, projectId: string, one: readonly Asked[]): Promise<string> {
  const [row] = await on.rows<{ value: string }>(sql`SELECT o.value ${resolved(projectId, one)}`);
  if (!row) throw new Error('a device is gone from a state that does not change');
  return row.value;
}

/** The narrowest level that sets the key decides, as in `Levels`. */
const resolved = (projectId: string, asked: readonly Asked[]): Sql => sql`
  FROM unnest(${list(asked.map(({ id }) => id))}::bigint[], ${list(asked.map(({ key }) => key))}::text[])
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
