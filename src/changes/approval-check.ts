import { isInventoryCollection } from '../auth/access';
import { isCommand } from '../core/context/request-context';
import { InventoryError } from '../core/errors';
import { appendMembers, membersOfRow } from '../core/json/json-text';
import {
  describeRule,
  metRules,
  missingApprovals,
  requiredApprovals,
  type UnmetApprovals,
} from './approval-rules';
import type { RuleSubject } from './approval-rules';
import type { ChangeDiff, ObjectDiff } from './change-diff';
import type { RejectedReason } from './change-reason';
import type { AssessedImpact, ChangeHead } from './impact-assessor';
import { membersIn, type SnapshotOrCreated } from './resource-snapshot';

/** What a change has written so far, for the rules of the project. */
export class WrittenSubject {
  private readonly collections = new Set<string>();
  private readonly keys = new Set<string>();
  private changesRules = false;

  /** @param head those of a project without rules collect nothing */
  constructor(private readonly head: ChangeHead) {}

  add(objects: readonly ObjectDiff[]): this {
    const { policy } = this.head;
    if (!policy || policy.approvals.length === 0) return this;
    const looksAtKeys = hasKeyRules(policy);
    for (const object of objects) {
      const { collection } = object.mapping;
      if (collection === 'project-settings') this.changesRules ||= altersRules(object);
      if (!isInventoryCollection(collection)) continue;
      this.collections.add(collection);
      if (looksAtKeys) for (const { key } of object.variables) this.keys.add(JSON.parse(key) as string);
    }
    return this;
  }

  with({ devices, keys = [] }: AssessedImpact): RuleSubject {
    const { collections, changesRules } = this;
    return { collections, changesRules, devices, keys: new Set([...this.keys, ...keys]) };
  }
}

/** Whether rules look at the keys that a change alters. */
export const hasKeyRules = (policy: ChangeHead['policy']): boolean =>
  policy?.approvals.some(({ keys }) => keys !== undefined) === true;

function altersRules({ before, after }: ObjectDiff): boolean {
  const rulesOf = (side: SnapshotOrCreated | undefined) =>
    side && membersOfRow(membersIn(side)).get('"approvals"');
  return rulesOf(before) !== rulesOf(after);
}

/** What a change touched, for the rules of the project. */
export const ruleSubject = (diff: ChangeDiff, impact: AssessedImpact): RuleSubject =>
  new WrittenSubject(diff).add(diff.objects).with(impact);

/** Whether rules apply to a change. They do not apply to a command, which an administrator of the service runs. */
export const isGoverned = ({ ctx, policy }: GovernedHead): boolean =>
  policy !== undefined && policy.approvals.length > 0 && !isCommand(ctx);

type GovernedHead = Pick<ChangeHead, 'ctx' | 'policy' | 'proposal'>;

/** Why a change cannot be made without further approvals. */
export interface RequiredApproval {
  readonly message: string;
  /** The first of these rules. */
  readonly description: string;
  /** The rules with too few approvals. */
  readonly unmet: readonly UnmetApprovals[];
  /** How many approvals the met rules require. */
  readonly approvals: number;
}

/**
 * @param subjectOf called only if rules apply: it can take long
 * @returns undefined if the change meets no rule, or has the approvals that the rules require
 */
export async function findRequiredApproval(
  head: GovernedHead,
  subjectOf: () => RuleSubject | Promise<RuleSubject>,
): Promise<RequiredApproval | undefined> {
  if (!isGoverned(head)) return undefined;
  const { ctx, policy, proposal } = head;
  const met = metRules(await subjectOf(), policy?.approvals ?? []);
  const unmet = missingApprovals(met, proposal?.approvers ?? []);
  const [first] = unmet;
  if (!first) return undefined;
  const description = describeRule(first, ctx.visibility);
  return {
    message: messageOf(head, description, first),
    description,
    unmet,
    approvals: requiredApprovals(met),
  };
}

function messageOf({ proposal }: GovernedHead, rule: string, { given }: UnmetApprovals): string {
  if (proposal) return `The ${rule}, and the proposal has ${String(given)} that count.`;
  return `The ${rule}. Propose the write instead: send the same request with ?propose=<title>.`;
}

/**
 * Checks a change against the rules of its project.
 * @param subjectOf like that of `findRequiredApproval`
 * @returns why an admin passed the rules; undefined if the change meets none, or has the approvals that they require
 * @throws InventoryError 403, or 409 if a proposal is applied
 */
export async function assertApproved(
  head: GovernedHead,
  subjectOf: () => RuleSubject | Promise<RuleSubject>,
): Promise<string | undefined> {
  const { ctx, proposal } = head;
  const required = await findRequiredApproval(head, subjectOf);
  if (!required || ctx.override !== undefined) return required && ctx.override;
  const details = required.unmet.map((unmet) => ({
    field: `approvals[${String(unmet.index)}]`,
    code: 'approval_required' as const,
    message: describeRule(unmet, ctx.visibility),
  }));
  throw new InventoryError(proposal ? 'approval_missing' : 'approval_required', required.message, details);
}

/** What the rules of the project would reject without the dry run. */
export interface PreviewedRules {
  /** Set if the change needs approvals. */
  readonly approval: RequiredApproval | undefined;
  /** Set if the reason is not accepted. */
  readonly reason: RejectedReason | undefined;
}

/** Adds the members `approval_required` and `reason_rejected` to the text of a preview, if the rules reject the change. */
export function withRules(preview: string, { approval, reason }: PreviewedRules): string {
  return appendMembers(preview, [
    ...(approval ? [`"approval_required":${approvalText(approval)}`] : []),
    ...(reason ? [`"reason_rejected":${JSON.stringify(reason)}`] : []),
  ]);
}

const approvalText = ({ message, description, unmet, approvals }: RequiredApproval): string =>
  JSON.stringify({ message, description, rule: unmet[0]?.index, approvals });
