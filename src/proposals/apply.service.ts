import { Injectable } from '@nestjs/common';
import type { PreparedOperation } from '../batch/batch.service';
import type { ChangeDiff } from '../changes/change-diff';
import type { ChangeSet } from '../changes/change-set';
import { ChangesService } from '../changes/changes.service';
import { REASON_MEMBER } from '../changes/change-reason';
import type { SequenceResult } from '../changes/operation-sequence';
import type { RequestContext } from '../core/context/request-context';
import { type ErrorCode, InventoryError } from '../core/errors';
import type { WriteResult } from '../core/write-result';
import { Database, type Transaction } from '../database/database';
import { sql } from '../database/sql';
import { type Approval, readApprovals } from './approvals';
import { impactChange } from './impact-change';
import type { Effects } from './impact-digest';
import { type Assessment, type PreparedOperations, ProposalAssessor } from './proposal-assessor';
import { conflictError, finalStateError, ProposalError, revisionError } from './proposal-error';
import { ProposalLocks } from './proposal-locks';
import { Proposal, proposalMapping } from './proposal.entity';
import { readOwnProposal, type StoredRevision } from './stored-proposal';

/** An applied proposal, with its operations for rendering their results. */
export interface AppliedOperations {
  readonly prepared: readonly PreparedOperation[];
  readonly write: WriteResult<SequenceResult>;
}

/** Applies proposals. */
@Injectable()
export class ApplyService {
  constructor(
    private readonly database: Database,
    private readonly changes: ChangesService,
    private readonly assessor: ProposalAssessor,
    private readonly locks: ProposalLocks,
  ) {}

  /**
   * Does the operations of a proposal in one change, with the roles of the caller. That its impact is the approved one is
   * checked in the same transaction.
   * @throws InventoryError 403, 404; 409 if it is applied already, has too few approvals, conflicts with later changes, or
   * has another impact than the approved one; and the errors of the operations. If approvals do not count any more, the
   * proposal is open again, so that it waits for its reviewers. With an override, it needs no approvals
   */
  async apply(ctx: RequestContext, id: number): Promise<AppliedOperations> {
    const proposal = await readOwnProposal(ctx, id, this.database);
    try {
      return await this.applyRevision(ctx, proposal);
    } catch (error) {
      const isStale = error instanceof ProposalError && STALE.has(error.code);
      if (isStale && proposal.state === 'approved' && !ctx.preview) await this.reopen(ctx, proposal);
      throw error;
    }
  }

  private async applyRevision(ctx: RequestContext, proposal: StoredRevision): Promise<AppliedOperations> {
    const { id, revision, author_id, author_username, reason } = proposal;
    const author = { id: author_id, username: author_username };
    const applying = await this.assessor.contextFor(ctx, proposal);
    const operations = await this.prepare(applying, proposal);
    const { prepared, sequence, operationOf } =
      operations instanceof InventoryError ? NO_OPERATIONS : operations;
    const write = await this.changes.runSequence(applying, sequence, reason, {
      reasonField: ctx.reason === undefined ? REASON_MEMBER : undefined,
      before: async ({ tx }) => {
        await lockUnchanged(tx, proposal);
        // A proposal that is applied or withdrawn says so, even if an operation is not possible any more.
        if (operations instanceof InventoryError) throw operations;
      },
      after: (change) => this.markApplied(change, id),
      inspect: async (diff) => {
        const assessment = await this.assessor.assess(ctx, proposal, diff, operationOf);
        // Under the lock, because a role of an approver can be taken away meanwhile.
        const approvals = await readApprovals(diff.tx, proposal, diff.policy);
        const { counting, override } = await assertApplicable(ctx, diff, { proposal, approvals }, assessment);
        const approvers = counting.map(({ reviewer }) => reviewer);
        return { impact: assessment.count, proposal: { id, revision, author, approvers }, override };
      },
      recorded: async ({ tx, changeId = null }) => {
        await tx.execute(sql`UPDATE proposals SET change_id = ${changeId}
          WHERE project_id = ${ctx.projectId} AND id = ${id}`);
      },
    });
    if (operations instanceof InventoryError) throw operations;
    return { prepared, write };
  }

  /** Opens an approved proposal again, unless it has been changed or reviewed meanwhile. */
  private async reopen(ctx: RequestContext, { id, version }: StoredRevision): Promise<void> {
    const run = async (change: ChangeSet): Promise<void> => {
      const { resource, proposal } = await this.locks.lock(change, id);
      if (proposal.version === version)
        await change.update(resource, Proposal, { state: 'open', approvals_given: 0 });
    };
    // It is no part of the request that failed: a repetition with its key applies the proposal if it can be applied then.
    await this.changes.update({ ...ctx, idempotency: undefined, reason: undefined }, { run });
  }

  private async prepare(
    ctx: RequestContext,
    proposal: StoredRevision,
  ): Promise<PreparedOperations | InventoryError> {
    try {
      return await this.assessor.prepare(ctx, proposal);
    } catch (error) {
      if (error instanceof InventoryError && error.status < 500) return error;
      throw error;
    }
  }

  /** After the operations: a change that has already touched something cannot select resources by their variables. */
  private async markApplied(change: ChangeSet, id: number): Promise<void> {
    const part = change.part({});
    const resource = await part.lock(proposalMapping, id);
    await part.update(resource, Proposal, { state: 'applied' });
    change.add(part);
  }
}

/** The errors of a proposal whose approvals do not count any more. */
const STALE: ReadonlySet<ErrorCode> = new Set(['impact_changed', 'approval_missing']);

const NO_OPERATIONS: PreparedOperations = { prepared: [], sequence: [], operationOf: new Map() };

/** Locks a proposal until the transaction ends. @throws InventoryError 409 if it is applied or withdrawn, or was amended meanwhile */
async function lockUnchanged(
  tx: Transaction,
  { project_id: projectId, id, revision }: StoredRevision,
): Promise<void> {
  const [row] = await tx.rows<Pick<StoredRevision, 'state' | 'revision'>>(
    sql`SELECT p.state, p.revision FROM proposals p WHERE p.project_id = ${projectId} AND p.id = ${id} FOR UPDATE`,
  );
  if (!row) throw InventoryError.notFound(proposalMapping.kind, id);
  if (row.state === 'applied' || row.state === 'withdrawn') throw finalStateError(row.state);
  if (row.state === 'rejected')
    throw new ProposalError('conflict', 'The proposal is rejected.', { state: row.state });
  if (row.revision !== revision) throw revisionError(row.revision);
}

/**
 * @returns the approvals of this impact, and why an admin applies it without enough of them
 * @throws InventoryError 409
 */
async function assertApplicable(
  { visibility, override }: RequestContext,
  { tx, projectId }: ChangeDiff,
  { proposal, approvals }: { readonly proposal: StoredRevision; readonly approvals: readonly Approval[] },
  { effects, digest, conflicts, requirement, impact }: Assessment,
): Promise<{ readonly counting: readonly Approval[]; readonly override: string | undefined }> {
  if (conflicts.length > 0) throw conflictError(conflicts);
  const counting = approvals.filter((approval) => approval.digest === digest);
  const approvers = counting.map(({ reviewer }) => reviewer);
  if (requirement.isMetBy(approvers)) return { counting, override: undefined };
  if (override !== undefined) return { counting, override };
  const stale = approvals.filter((approval) => approval.digest !== digest).at(-1);
  if (!stale) {
    throw new ProposalError('approval_missing', requirement.missing(approvers, visibility).join(' '), {
      approvals: { required: requirement.approvals, given: counting.length },
    });
  }
  const approved = await readEffects(tx, proposal, stale.reviewId);
  throw new ProposalError(
    'impact_changed',
    'The impact is not the approved one any more. Preview the proposal, and approve it again.',
    {
      now: approved
        ? await impactChange(tx, projectId, { approved, now: effects }, visibility, impact.devices)
        : null,
    },
  );
}

/** The effects that a review has approved; undefined if they were too large to be stored. */
async function readEffects(
  tx: Transaction,
  { project_id: projectId }: StoredRevision,
  reviewId: number,
): Promise<Effects | undefined> {
  const [row] = await tx.rows<{ effects: string | null }>(
    sql`SELECT r.effects FROM proposal_reviews r WHERE r.project_id = ${projectId} AND r.id = ${reviewId}`,
  );
  return row?.effects ? (JSON.parse(row.effects) as Effects) : undefined;
}
