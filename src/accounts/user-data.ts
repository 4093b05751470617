import { deleteSessions } from '../auth/sessions/session-store';
import type { ChangeSet } from '../changes/change-set';
import { sql } from '../database/sql';

/** Deletes what belongs to a user that is deleted: sessions, API keys and the views that the user saved for themselves. */
export async function deleteUserData(
  { tx }: ChangeSet,
  user: { readonly projectId: string; readonly id: number },
): Promise<void> {
  await deleteSessions(tx, user);
  await tx.execute(sql`DELETE FROM api_keys WHERE project_id = ${user.projectId} AND user_id = ${user.id}`);
  await tx.execute(sql`DELETE FROM own_views WHERE project_id = ${user.projectId} AND user_id = ${user.id}`);
}
