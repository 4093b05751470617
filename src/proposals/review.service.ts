import { Injectable } from '@nestjs/common';
import type { ChangeSet } from '../changes/change-set';
import type { Operation } from '../changes/operation';
import type { RequestContext } from '../core/context/request-context';
import { errorWithCode, InventoryError } from '../core/errors';
import { Database } from '../database/database';
import { arrayParameter, sql } from '../database/sql';
import type { RenderedResource } from '../resources/resource-reader';
import { storedEffects } from './effect-difference';
import type { NewReview } from './proposal.dto';
import { type Assessment, type DryRunResult, ProposalAssessor } from './proposal-assessor';
import { conflictError, ProposalError, revisionError } from './proposal-error';
import { Proposal } from './proposal.entity';
import { ProposalLocks } from './proposal-locks';
import { ProposalReader } from './proposal-reader';
import type { ProposalState } from './proposal-states';
import { rightsOf } from './reviewers';
import { readOwnProposal } from './stored-proposal';
import { latestReviews, readReviews } from './stored-reviews';

/** Approves and rejects proposals. */
@Injectable()
export class ReviewService {
  constructor(
    private readonly database: Database,
    private readonly assessor: ProposalAssessor,
    private readonly locks: ProposalLocks,
    private readonly reader: ProposalReader,
  ) {}

  /**
   * Prepares a review. The reviewer is not the author, and must be allowed to do everything that the proposal does.
   * @throws InventoryError 403 for the author, 404; when it runs 403 for missing roles, 409 if the revision or the impact is
   * not the given one or others have changed what it writes, and the errors of the operations
   */
  async prepareReview(
    ctx: RequestContext,
    id: number,
    body: NewReview,
  ): Promise<Operation<RenderedResource>> {
    const { verdict, revision, note } = body;
    const stored = await readOwnProposal(ctx, id, this.database);
    if (stored.author_id === ctx.principal.userId)
      throw new InventoryError('forbidden', 'The author of a proposal cannot review it.', [
        { field: 'verdict', code: 'read_only', message: 'is given by another user than the author' },
      ]);
    if (verdict === 'approve' && typeof body.impact_digest !== 'string')
      throw InventoryError.invalid('impact_digest', 'required', 'is required to approve');
    const result = await this.assessor.dryRun(ctx, stored, { checksRoles: true });
    const run = async (change: ChangeSet) => {
      const { resource, proposal } = await this.locks.lockUndecided(change, id);
      this.locks.assertChangeable(proposal);
      if (proposal.revision !== revision || stored.revision !== revision)
        throw revisionError(proposal.revision);
      const assessment = verdict === 'approve' ? approved(result, body) : rejected(result);
      await insertReview(change, proposal.project_id, id, body, assessment);
      const latest = latestReviews(await readReviews(change.tx, proposal.project_id, id), revision);
      const given = latest.filter((review) => review.verdict === 'approve').length;
      const required = assessment?.requirement.approvals;
      await change.update(resource, Proposal, {
        state: stateOf(given < latest.length, given >= (required ?? Infinity)),
        approvals_given: given,
        approvals_required: required,
      });
      return this.reader.showWritten(ctx, id, change.tx);
    };
    return { note, run };
  }
}

function stateOf(isRejected: boolean, isApproved: boolean): ProposalState {
  if (isRejected) return 'rejected';
  return isApproved ? 'approved' : 'open';
}

/** @throws InventoryError unless the operations can be done, and do what the reviewer has seen */
function approved({ assessment, error }: DryRunResult, { impact_digest: digest }: NewReview): Assessment {
  if (error) throw error;
  if (!assessment) throw new Error('operations without an error were not assessed');
  if (assessment.conflicts.length > 0) throw conflictError(assessment.conflicts);
  if (assessment.shownDigest !== digest)
    throw new ProposalError(
      'impact_changed',
      'The impact is not the one of this digest any more. Preview the proposal again.',
      { now: null },
    );
  return assessment;
}

/** A user who may not do what a proposal does may not stop it either. @throws InventoryError 403 */
function rejected({ assessment, error }: DryRunResult): Assessment | undefined {
  const forbidden = error && errorWithCode(error, 'forbidden');
  if (forbidden) throw forbidden;
  return assessment;
}

async function insertReview(
  { ctx, tx }: ChangeSet,
  projectId: string,
  id: number,
  { verdict, revision, note = null }: NewReview,
  assessment: Assessment | undefined,
): Promise<void> {
  const { userId, username, homeProjectId } = ctx.principal;
  const seen = verdict === 'approve' ? assessment : undefined;
  await tx.execute(sql`
    INSERT INTO proposal_reviews (project_id, proposal_id, revision, reviewer_id, reviewer_username, reviewer_project,
      reviewer_rights, verdict, note, shown_digest, impact_digest, effects)
    VALUES (${projectId}, ${id}, ${revision}, ${userId}, ${username}, ${homeProjectId},
      ${arrayParameter(rightsOf(ctx.principal))}::text[], ${verdict}, ${note}, ${seen?.shownDigest ?? null},
      ${seen?.digest ?? null}, ${seen ? (storedEffects(seen.effects) ?? null) : null})`);
}
