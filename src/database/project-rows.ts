import type { Transaction } from './database';
import { raw, sql } from './sql';

/** The tables with rows that are deleted with their project. References point from earlier to later ones. */
const DELETED_WITH_PROJECT = [
  'idempotency_keys',
  'proposal_comments',
  'proposal_reviews',
  'proposal_revisions',
  'proposals',
  'own_views',
];

/**
 * Deletes what is stored for a project and is neither a resource of the inventory, which would keep the project from being
 * deleted, nor a record, which stays. For values of variables, see `deleteValues`: there can be millions.
 */
export async function deleteProjectRows(tx: Transaction, projectId: string): Promise<void> {
  for (const table of DELETED_WITH_PROJECT)
    await tx.execute(sql`DELETE FROM ${raw(table)} t WHERE t.project_id = ${projectId}`);
}
