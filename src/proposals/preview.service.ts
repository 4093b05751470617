import { Injectable } from '@nestjs/common';
import { ProjectPolicies } from '../auth/project-policies';
import type { PreviewPage, RequestContext } from '../core/context/request-context';
import { errorsOf, errorWithCode, InventoryError } from '../core/errors';
import { appendMembers } from '../core/json/json-text';
import { Database } from '../database/database';
import { type Approval, readApprovals } from './approvals';
import { type Conflict, visibleConflicts } from './conflicts';
import { sidesText } from './impact-change';
import { type DryRunResult, ProposalAssessor } from './proposal-assessor';
import { unknownRequirement } from './requirement';
import { readOwnProposal, type StoredRevision } from './stored-proposal';

/** Whether the caller may do what a proposal does; else why not. */
interface CallerDryRun extends DryRunResult {
  readonly denied: string | undefined;
}

/** Computes what proposals would do now. */
@Injectable()
export class PreviewService {
  constructor(
    private readonly database: Database,
    private readonly policies: ProjectPolicies,
    private readonly assessor: ProposalAssessor,
  ) {}

  /** @returns the preview, as JSON text. @throws InventoryError 400, 404 */
  async preview(ctx: RequestContext, id: number, page: PreviewPage): Promise<string> {
    const proposal = await readOwnProposal(ctx, id, this.database);
    const result = isFinal(proposal) ? finished(proposal) : await this.dryRun(ctx, proposal, page);
    const policy = await this.policies.get(ctx.projectId);
    const approvals = await readApprovals(this.database, proposal, policy);
    return render(ctx, proposal, result, approvals);
  }

  /** Runs the operations with the roles of the caller. If these do not suffice, again without checking roles. */
  private async dryRun(
    ctx: RequestContext,
    proposal: StoredRevision,
    page: PreviewPage,
  ): Promise<CallerDryRun> {
    const own = await this.assessor.dryRun(ctx, proposal, { page, checksRoles: true });
    const denied = own.error && errorWithCode(own.error, 'forbidden');
    if (!denied) return { ...own, denied: undefined };
    return { ...(await this.assessor.dryRun(ctx, proposal, { page })), denied: denied.message };
  }
}

const isFinal = ({ state }: StoredRevision): boolean => state === 'applied' || state === 'withdrawn';

const finished = ({ state, new_ids: newIds }: StoredRevision): CallerDryRun => ({
  assessment: undefined,
  error: new InventoryError('conflict', `The proposal is ${state}.`),
  newIds,
  denied: undefined,
});

function render(
  ctx: RequestContext,
  proposal: StoredRevision,
  { assessment, error, denied }: CallerDryRun,
  approvals: readonly Approval[],
): string {
  const conflicts = visibleConflicts(assessment?.conflicts ?? [], ctx.visibility);
  const errors = error ? errorsOf(error) : [];
  const isApplicable = error === undefined && assessment !== undefined && assessment.conflicts.length === 0;
  // Of a proposal that is applied or withdrawn, no impact is computed, and its approvals are past.
  const counting = approvals.filter(({ digest }) => isFinal(proposal) || digest === assessment?.digest);
  const required = assessment?.requirement.approvals ?? 1;
  const head = JSON.stringify({
    revision: proposal.revision,
    impact_digest: assessment?.shownDigest ?? null,
    applicable: isApplicable,
    problems: errors.map(problemOf),
  });
  const missing = [
    ...errors.map(({ message }) => message),
    ...(assessment && assessment.conflicts.length > 0 ? ['Others have changed what it writes.'] : []),
    ...(denied === undefined ? [] : [denied]),
  ];
  const isAuthor = proposal.author_id === ctx.principal.userId;
  const approvers = counting.map(({ reviewer }) => reviewer);
  const missingApprovals = assessment
    ? assessment.requirement.missing(approvers, ctx.visibility)
    : [unknownRequirement(approvers.length)];
  const may = {
    approve: missing.length === 0 && !isAuthor,
    apply: missing.length === 0 && missingApprovals.length === 0,
    missing: [
      ...missing,
      ...(isAuthor ? ['The author cannot approve it.'] : []),
      ...(isFinal(proposal) ? [] : missingApprovals),
    ],
  };
  return appendMembers(head, [
    `"change":${assessment?.change ?? 'null'}`,
    `"impact":${assessment?.impact.body ?? 'null'}`,
    `"conflicts":[${conflicts.map(conflictText).join(',')}]`,
    `"approvals":${JSON.stringify({
      required,
      given: counting.length,
      stale: approvals.filter((approval) => !counting.includes(approval)).map(({ reviewId }) => reviewId),
    })}`,
    `"may":${JSON.stringify(may)}`,
  ]);
}

/** The position in the message of an error of an operation. */
const POSITION = /^operations\[([0-9]+)\]/;

function problemOf({ status, code, message, details: [first] }: InventoryError) {
  const [, position] = POSITION.exec(message) ?? [];
  return {
    operation: position === undefined ? null : Number(position),
    status,
    code,
    message,
    ...(first ? { field: first.field } : {}),
  };
}

function conflictText({ operation, kind, resourceId, name, field, then, now, proposed }: Conflict): string {
  const head = JSON.stringify({ operation, kind, resource_id: resourceId, name, field });
  return appendMembers(head, [
    ...sidesText({ before: then, after: now }, ['then', 'now']),
    ...(proposed === undefined ? [] : [`"proposed":${proposed}`]),
  ]);
}
