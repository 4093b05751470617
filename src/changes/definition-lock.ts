import type { Queryable } from '../database/database';
import { sql, type Sql } from '../database/sql';

/**
 * The lock of a project's definitions, which makes values and definitions fit together. Like all advisory locks of a
 * project, it is held until the transaction ends; `docs/architecture.md` has their order. @param project a `uuid`
 */
const lockKey = (project: Sql): Sql => sql`hashtextextended('variable definitions of ' || ${project}, 0)`;

/** The lock that changes of variables take, as an expression. @param project a `uuid` */
export const sharedDefinitionLock = (project: Sql): Sql =>
  sql`pg_advisory_xact_lock_shared(${lockKey(project)})`;

/**
 * Locks the definitions of a project: shared for changes that set variables, exclusive for changes of a definition. The
 * later of the two therefore sees what the earlier one wrote. The definitions must be read by a later statement, because
 * the snapshot of a statement is older than a lock that it waits for.
 */
export async function lockDefinitions(
  on: Queryable,
  projectId: string,
  mode: 'shared' | 'exclusive',
): Promise<void> {
  const project = sql`${projectId}::uuid`;
  await on.rows(
    mode === 'shared'
      ? sql`SELECT ${sharedDefinitionLock(project)}`
      : sql`SELECT pg_advisory_xact_lock(${lockKey(project)})`,
  );
}
