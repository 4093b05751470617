import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { withRoleChecks } from '../auth/access';
import { ProjectPolicies } from '../auth/project-policies';
import { REASON_FIELD, reasonOf } from '../changes/change-reason';
import type { ChangeSet } from '../changes/change-set';
import { ChangesService } from '../changes/changes.service';
import type { Operation } from '../changes/operation';
import type { ProposedBatch, ProposedWrite, Proposer } from '../writes/proposer';
import type { RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors';
import { splitJsonObject } from '../core/json/json-text';
import type { WriteResult } from '../core/write-result';
import { Database } from '../database/database';
import { arrayParameter, sql } from '../database/sql';
import type { Precondition } from '../http/preconditions';
import type { RenderedResource } from '../resources/resource-reader';
import { variableRolesOf } from './author-visibility';
import { privateWords } from './hidden-operations';
import type { Effects } from './impact-digest';
import type { UpdateProposal } from './proposal.dto';
import { type AssessedRevision, type DryRunResult, ProposalAssessor } from './proposal-assessor';
import { revisionError } from './proposal-error';
import { Proposal, proposalMapping } from './proposal.entity';
import { ProposalLocks } from './proposal-locks';
import { ProposalQuota } from './proposal-quota';
import { ProposalReader } from './proposal-reader';
import {
  listedBy,
  noteOf,
  operationsOf,
  type ProposedOperations,
  proposedOperations,
  withoutPreconditions,
} from './proposed-operations';
import { readOwnProposal, type StoredRevision } from './stored-proposal';

/** A time after all changes: what is proposed now conflicts with none. */
const AFTER_ALL = 'infinity';

/** The operations of a new revision, after a dry run. */
interface NewRevision {
  readonly operations: ProposedOperations;
  readonly result: DryRunResult;
  /** Absent: the time of the dry run. */
  readonly baseAt?: string;
  readonly sees: readonly string[] | null;
  /** The private variables that the operations name. */
  readonly named: readonly string[];
}

/** Creates, amends and withdraws proposals. */
@Injectable()
export class ProposalsService implements Proposer {
  constructor(
    private readonly database: Database,
    private readonly changes: ChangesService,
    private readonly assessor: ProposalAssessor,
    private readonly locks: ProposalLocks,
    private readonly reader: ProposalReader,
    private readonly quota: ProposalQuota,
    private readonly policies: ProjectPolicies,
  ) {}

  async propose(
    ctx: RequestContext,
    proposed: ProposedWrite | ProposedBatch,
  ): Promise<WriteResult<RenderedResource>> {
    const { propose: title = '' } = ctx;
    const operations = proposedOperations(proposed);
    const reason = reasonOf(ctx, noteOf(proposed)) ?? null;
    const secret = randomBytes(32);
    const sees = variableRolesOf(ctx.principal);
    const revision = {
      operations: operations.text,
      new_ids: {},
      base_at: AFTER_ALL,
      author_sees: sees,
      reason,
      secret,
    };
    const result = await this.assessor.dryRun(ctx, revision, { reasonField: REASON_FIELD });
    const named = await this.privateWords(ctx, operations);
    const { userId, username } = ctx.principal;
    const run = async (change: ChangeSet) => {
      const { requirement, effects } = assessmentOf(result);
      await this.quota.assertNewProposal(change, operations.bytes);
      await this.locks.waiveReason(change, ctx.projectId);
      const id = await change.insert(proposalMapping, Proposal, {
        project_id: ctx.projectId,
        title,
        state: 'open',
        revision: 1,
        reason,
        author_id: userId,
        author_username: username,
        ...listedValues(effects, named),
        operations_total: operations.count,
        approvals_required: requirement.approvals,
        bytes: operations.bytes,
        secret,
      });
      await insertRevision(change, ctx.projectId, id, 1, { operations, result, sees, named });
      return this.reader.showWritten(ctx, id, change.tx);
    };
    return this.changes.run(withRoleChecks(ctx), { run });
  }

  async runLimited<T>(ctx: RequestContext, dryRun: () => Promise<T>): Promise<T> {
    return this.assessor.runLimited(ctx, dryRun);
  }

  /**
   * Prepares what the author changes about a proposal. Operations, or `rebase`, make a new revision.
   * @throws InventoryError 403 for others, 404, 413; when it runs 409, 412, and the errors of the operations
   */
  async prepareUpdate(
    ctx: RequestContext,
    id: number,
    body: UpdateProposal,
    precondition: Precondition,
  ): Promise<Operation<RenderedResource>> {
    const stored = await readOwnProposal(ctx, id, this.database);
    if (stored.author_id !== ctx.principal.userId)
      throw new InventoryError('forbidden', 'Only the author can amend a proposal.', [
        { field: 'id', code: 'read_only', message: 'is a proposal of another user' },
      ]);
    const next = await this.newRevision(ctx, stored, body);
    const run = async (change: ChangeSet) => {
      const { resource, proposal } = await this.locks.lockUndecided(change, id, precondition);
      this.locks.assertChangeable(proposal);
      const { title, description, reason } = body;
      if (reason !== undefined) await this.locks.assertReason(change, proposal.project_id, reason);
      const members = { title, description, reason };
      if (next) {
        if (proposal.revision !== stored.revision) throw revisionError(proposal.revision);
        const { requirement, effects } = assessmentOf(next.result);
        const { bytes, count } = next.operations;
        await this.quota.assertNewRevision(change, proposal.bytes, bytes);
        const revision = proposal.revision + 1;
        await change.update(resource, Proposal, {
          ...members,
          ...listedValues(effects, next.named),
          state: 'open',
          revision,
          operations_total: count,
          approvals_required: requirement.approvals,
          approvals_given: 0,
          bytes: proposal.bytes + bytes,
        });
        await insertRevision(change, proposal.project_id, id, revision, next);
      } else {
        await this.quota.assertChangeQuota(change);
        await change.update(resource, Proposal, members);
      }
      return this.reader.showWritten(ctx, id, change.tx);
    };
    return { run };
  }

  /** @throws InventoryError when it runs: 403 unless the author or an admin asks, 404, 409, 412 */
  prepareWithdraw(ctx: RequestContext, id: number, precondition: Precondition): Operation<RenderedResource> {
    return {
      run: async (change) => {
        const { resource, proposal } = await this.locks.lockUndecided(change, id, precondition);
        const { userId, isAdmin, isRoot } = ctx.principal;
        if (proposal.author_id !== userId && !isAdmin && !isRoot)
          throw InventoryError.forbidden('Only the author and admins can withdraw a proposal.', ['admin']);
        await change.update(resource, Proposal, { state: 'withdrawn' });
        return this.reader.showWritten(ctx, id, change.tx);
      },
    };
  }

  /** Runs the operations of a new revision as a dry run; undefined if there is none. */
  private async newRevision(
    ctx: RequestContext,
    stored: StoredRevision,
    { operations: given, rebase = false, reason = stored.reason }: UpdateProposal,
  ): Promise<NewRevision | undefined> {
    if (!given && !rebase) return undefined;
    const text = given
      ? (splitJsonObject(given.text).get('operations') ?? '[]')
      : withoutPreconditions(stored.operations);
    const operations = operationsOf(text);
    const sees = variableRolesOf(ctx.principal);
    const revision: AssessedRevision = {
      operations: operations.text,
      // Those of the same operations stay reserved.
      new_ids: given ? {} : stored.new_ids,
      base_at: AFTER_ALL,
      author_sees: sees,
      reason,
      secret: stored.secret,
    };
    const result = await this.assessor.dryRun(ctx, revision);
    const named = await this.privateWords(ctx, operations);
    return { operations, result, sees, named, ...(rebase ? {} : { baseAt: stored.base_at }) };
  }

  /** The private variables that operations name. To the author, one that is hidden is a word like any other. */
  private async privateWords(
    { projectId, visibility }: RequestContext,
    { text }: ProposedOperations,
  ): Promise<string[]> {
    const policy = await this.policies.get(projectId);
    return privateWords(text, policy?.privateKeys ?? []).filter((word) => visibility.sees(word));
  }
}

/** @throws the error of the operations */
function assessmentOf({ assessment, error }: DryRunResult) {
  if (error) throw error;
  if (!assessment) throw new Error('operations without an error were not assessed');
  return assessment;
}

function listedValues(effects: Effects, named: readonly string[]) {
  const { resources, keys } = listedBy(effects, named);
  return { resources: [...resources], keys };
}

async function insertRevision(
  { tx }: ChangeSet,
  projectId: string,
  id: number,
  revision: number,
  { operations, result, baseAt = assessmentOf(result).time, sees }: NewRevision,
): Promise<void> {
  await tx.execute(sql`
    INSERT INTO proposal_revisions
      (project_id, proposal_id, revision, operations, operations_total, new_ids, base_at, author_sees)
    VALUES (${projectId}, ${id}, ${revision}, ${operations.text}, ${operations.count},
      ${JSON.stringify(result.newIds)}::jsonb, (${baseAt}::timestamp AT TIME ZONE 'UTC'),
      ${sees === null ? null : arrayParameter(sees)}::text[])`);
}
