import { Injectable } from '@nestjs/common';
import { ProjectPolicies } from '../auth/project-policies';
import { assertReason, REASON_MEMBER } from '../changes/change-reason';
import type { ChangeSet } from '../changes/change-set';
import type { LockedResource } from '../changes/resource-snapshot';
import { InventoryError } from '../core/errors';
import { sql } from '../database/sql';
import type { Precondition } from '../http/preconditions';
import { proposalMapping } from './proposal.entity';
import { finalStateError } from './proposal-error';
import { readProposal, type StoredRevision } from './stored-proposal';

/** How often a proposal can be changed: its members, revisions and reviews. So its records are limited, too. */
const MAX_CHANGES = 1_000;
/** Comments are limited by themselves: everybody can write them, and must not stop the proposal. */
const MAX_COMMENTS = 500;
/** Those of one user on one proposal. */
const MAX_USER_COMMENTS = 100;

const limitError = (message: string, detail: string): InventoryError =>
  new InventoryError('conflict', message, [{ field: 'id', code: 'limit_exceeded', message: detail }]);

/** Locks proposals for writes of theirs, which need no role. */
@Injectable()
export class ProposalLocks {
  constructor(private readonly policies: ProjectPolicies) {}

  /** @throws InventoryError 404, 412 */
  async lock(
    change: ChangeSet,
    id: number,
    precondition?: Precondition,
  ): Promise<{ readonly resource: LockedResource; readonly proposal: StoredRevision }> {
    const resource = await change.lock(proposalMapping, id, precondition);
    await this.waiveReason(change, resource.projectId);
    return { resource, proposal: await readProposal(change.ctx, id, change.tx) };
  }

  /** Like `lock`. @throws InventoryError 409 also if it is applied or withdrawn */
  async lockUndecided(
    change: ChangeSet,
    id: number,
    precondition?: Precondition,
  ): ReturnType<ProposalLocks['lock']> {
    const locked = await this.lock(change, id, precondition);
    const { state } = locked.proposal;
    if (state === 'applied' || state === 'withdrawn') throw finalStateError(state);
    return locked;
  }

  /** @throws InventoryError 409 if it was changed too often for another change than its last one */
  assertChangeable({ version, comments_total: comments }: StoredRevision): void {
    if (version - comments >= MAX_CHANGES)
      throw limitError(
        `A proposal can be changed ${String(MAX_CHANGES)} times.`,
        'was changed too often: propose the write again',
      );
  }

  /** @throws InventoryError 409 if it has too many comments for another one of the caller */
  async assertCommentable({ ctx, tx }: ChangeSet, proposal: StoredRevision): Promise<void> {
    const { project_id: projectId, id, comments_total: comments } = proposal;
    if (comments >= MAX_COMMENTS)
      throw limitError(
        `A proposal can have ${String(MAX_COMMENTS)} comments.`,
        `has ${String(MAX_COMMENTS)} comments, which is the limit`,
      );
    const [row] = await tx.rows<{ count: number }>(sql`SELECT count(*) AS count FROM proposal_comments c
      WHERE c.project_id = ${projectId} AND c.proposal_id = ${id} AND c.author_id = ${ctx.principal.userId}`);
    if ((row?.count ?? 0) >= MAX_USER_COMMENTS)
      throw limitError(
        `A user can write ${String(MAX_USER_COMMENTS)} comments on a proposal.`,
        `has ${String(MAX_USER_COMMENTS)} comments of yours, which is the limit`,
      );
  }

  /**
   * Checks the reason of the change that a proposal becomes.
   * @throws InventoryError 400 if the settings of the project do not allow it
   */
  async assertReason({ tx }: ChangeSet, projectId: string, reason: string | null): Promise<void> {
    const policy = await this.policies.readUncached(tx, projectId);
    const text = reason?.trim() ?? '';
    assertReason(policy?.reason, text === '' ? undefined : text, REASON_MEMBER);
  }

  /** The change of the inventory needs a reason, but not what is said about it. */
  async waiveReason(change: ChangeSet, projectId: string): Promise<void> {
    const policy = await this.policies.readUncached(change.tx, projectId);
    change.usePolicy(policy && { ...policy, reason: undefined });
  }
}
