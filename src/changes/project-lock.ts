import type { Queryable } from '../database/database';
import { sql } from '../database/sql';

/**
 * Locks a project, before any row of it, for what must not happen twice at once in it, until the transaction ends: an import, which keeps the
 * settings with which it began; a change of settings; and a change of parents, because two concurrent ones could create a
 * cycle together that neither of them sees. An advisory lock, because Citus would extend a lock on the row of a project
 * to the rows of all projects.
 */
export async function lockProject(on: Queryable, projectId: string): Promise<void> {
  await on.rows(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`project ${projectId}`}, 0))`);
}
