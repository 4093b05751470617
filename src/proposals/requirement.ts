import {
  describeRule,
  metRules,
  type MetRule,
  missingApprovals,
  requiredApprovals,
} from '../changes/approval-rules';
import { ruleSubject } from '../changes/approval-check';
import type { ChangeDiff } from '../changes/change-diff';
import { distinctDevices } from '../changes/effect-devices';
import type { EffectGroup } from '../changes/impact-assessor';
import type { Approver } from '../core/context/request-context';
import type { Visibility } from '../core/context/variable-keys';

/** A proposal is always approved by somebody else than its author, whether a rule of the project demands it or not. */
const MIN_APPROVALS = 1;

/** The approvals that a proposal needs. */
export class Requirement {
  private constructor(private readonly met: readonly MetRule[]) {}

  /** @param groups the changes of all resolved variables */
  static of(change: ChangeDiff, groups: readonly EffectGroup[]): Requirement {
    const { approvals: rules = [] } = change.policy ?? {};
    if (rules.length === 0) return new Requirement([]);
    const keys = groups.map(({ key }) => JSON.parse(key) as string);
    const devices = distinctDevices(groups).length;
    return new Requirement(metRules(ruleSubject(change, { devices, keys }), rules));
  }

  get approvals(): number {
    return Math.max(MIN_APPROVALS, requiredApprovals(this.met));
  }

  /** Whether these users are enough, by their number and by the roles that rules name. */
  isMetBy(approvers: readonly Approver[]): boolean {
    return approvers.length >= this.approvals && missingApprovals(this.met, approvers).length === 0;
  }

  /** Which approvals are missing, as sentences for somebody; none if these users are enough. */
  missing(approvers: readonly Approver[], visibility: Visibility): string[] {
    const unmet = missingApprovals(this.met, approvers).map(
      (rule) => `The ${describeRule(rule, visibility)}: ${String(rule.given)} of the present ones count.`,
    );
    if (unmet.length > 0 || approvers.length >= this.approvals) return unmet;
    return [approvalsText(this.approvals, approvers.length)];
  }
}

/** The approvals of a proposal whose operations fail, so that nobody knows which rules it meets. */
export const unknownRequirement = (given: number): string => approvalsText(MIN_APPROVALS, given);

const approvalsText = (required: number, given: number): string =>
  `It needs ${String(required)} approval${required === 1 ? '' : 's'} of its present impact, and has ${String(given)}.`;
