import type { ProjectPolicy } from '../auth/project-policies';
import type { Approver } from '../core/context/request-context';
import type { Queryable } from '../database/database';
import { ableReviewers } from './reviewers';
import type { StoredRevision } from './stored-proposal';
import { latestReviews, readReviews } from './stored-reviews';

/** An approval of the present revision by a user who still may give it. */
export interface Approval {
  readonly reviewId: number;
  readonly reviewer: Approver;
  /** That of the whole impact. */
  readonly digest: string | null;
}

/** The approvals of the present revision that count, if the impact is still the approved one. Oldest first. */
export async function readApprovals(
  on: Queryable,
  { project_id: projectId, id, revision, keys }: StoredRevision,
  policy: ProjectPolicy | undefined,
): Promise<readonly Approval[]> {
  const latest = latestReviews(await readReviews(on, projectId, id), revision);
  const approving = latest.filter(({ verdict }) => verdict === 'approve').sort((a, b) => a.id - b.id);
  const able = await ableReviewers(on, approving, policy, keys);
  return approving.flatMap((review): Approval[] => {
    const reviewer = able.get(review.id);
    return reviewer ? [{ reviewId: review.id, reviewer, digest: review.impact_digest }] : [];
  });
}
