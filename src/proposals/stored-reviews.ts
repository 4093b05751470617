import type { Queryable } from '../database/database';
import { timestampText } from '../database/resource-mapping';
import { raw, sql } from '../database/sql';
import type { Verdict } from './proposal.dto';

/** A review as it is stored. */
export interface StoredReview {
  readonly [column: string]: unknown;
  readonly id: number;
  readonly reviewer_id: number;
  readonly reviewer_username: string;
  readonly reviewer_project: string;
  /** What the reviewer was allowed then: see `rightsOf`. */
  readonly reviewer_rights: readonly string[];
  readonly verdict: Verdict;
  readonly revision: number;
  readonly note: string | null;
  readonly shown_digest: string | null;
  readonly impact_digest: string | null;
  readonly created_at: string;
}

/** All reviews of a proposal, oldest first. */
export const readReviews = (on: Queryable, projectId: string, id: number): Promise<StoredReview[]> =>
  on.rows<StoredReview>(sql`
    SELECT r.id, r.reviewer_id, r.reviewer_username, r.reviewer_project, r.reviewer_rights, r.verdict, r.revision, r.note,
      r.shown_digest, r.impact_digest, ${raw(timestampText('r.created_at'))} AS created_at
    FROM proposal_reviews r WHERE r.project_id = ${projectId} AND r.proposal_id = ${id} ORDER BY r.id`);

/** The latest review of each reviewer for a revision. */
export function latestReviews(reviews: readonly StoredReview[], revision: number): StoredReview[] {
  const ofRevision = reviews.filter((review) => review.revision === revision);
  return [...new Map(ofRevision.map((review) => [review.reviewer_id, review])).values()];
}
