import type { ApprovalRule } from '../auth/project-policies';
import type { Approver } from '../core/context/request-context';
import { KeyPatterns, type Visibility } from '../core/context/variable-keys';

/** What rules look at: what a change writes, and its impact. Private variables count, too. */
export interface RuleSubject {
  /** The collections of the inventory that it writes. Rules do not apply to a change that writes none. */
  readonly collections: ReadonlySet<string>;
  /** The keys that it sets or removes somewhere, and those whose resolved value it changes for some device. */
  readonly keys: ReadonlySet<string>;
  /** For how many devices it changes a resolved value. */
  readonly devices: number;
  /** Whether it changes the rules of the project. Such a change meets all of them. */
  readonly changesRules: boolean;
}

/** A rule that a change meets. */
export interface MetRule {
  /** Its position in the setting, counted from 0. */
  readonly index: number;
  readonly rule: ApprovalRule;
}

/** A rule that a change meets, with too few approvals. */
export interface UnmetApprovals extends MetRule {
  /** How many approvals count for it. */
  readonly given: number;
}

/** The rules that a change meets: those of which it meets every condition. */
export const metRules = (subject: RuleSubject, rules: readonly ApprovalRule[]): MetRule[] =>
  rules.map((rule, index) => ({ rule, index })).filter(({ rule }) => meets(subject, rule));

function meets(
  subject: RuleSubject,
  { keys, collections, min_devices: minDevices = 0 }: ApprovalRule,
): boolean {
  if (subject.changesRules) return true;
  if (subject.collections.size === 0 || subject.devices < minDevices) return false;
  if (collections && !collections.some((name) => subject.collections.has(name))) return false;
  if (!keys) return true;
  const patterns = new KeyPatterns(keys);
  return [...subject.keys].some((key) => patterns.covers(key));
}

/** How many approvals the rules require at least. */
export const requiredApprovals = (met: readonly MetRule[]): number =>
  Math.max(0, ...met.map(({ rule }) => rule.approvals));

/** The rules for which there are too few approvals. @param approvers those whose approvals count */
export const missingApprovals = (met: readonly MetRule[], approvers: readonly Approver[]): UnmetApprovals[] =>
  met
    .map(({ index, rule }) => ({ index, rule, given: countingFor(rule, approvers) }))
    .filter(({ rule, given }) => given < rule.approvals);

function countingFor({ approvers: role }: ApprovalRule, approvers: readonly Approver[]): number {
  return new Set(approvers.filter((user) => hasRole(user, role)).map(({ id }) => id)).size;
}

/** The word for admins and root users, who have every role. */
export const ADMIN_APPROVERS = 'admin';

/** Whether a user has a role, or one that includes it. @param role absent: every user has it */
export function hasRole(
  { isAdmin, isRoot, roles }: Pick<Approver, 'isAdmin' | 'isRoot' | 'roles'>,
  role: string | undefined,
): boolean {
  if (role === undefined || isAdmin || isRoot) return true;
  if (role === ADMIN_APPROVERS) return false;
  if (role.includes(':')) return roles.includes(role) || roles.includes('*:write');
  return new KeyPatterns(roles.filter((own) => !own.includes(':'))).covers(role);
}

/** Describes a rule to a caller, by its number from 1, as the explorer shows it. Patterns of keys that are hidden from the caller are not named. */
export function describeRule({ index, rule }: MetRule, visibility: Visibility): string {
  const { keys, collections, min_devices: minDevices, approvals, approvers } = rule;
  const shown = keys?.filter((pattern) => visibility.sees(pattern.replace(/\*$/, '')));
  const conditions = [
    ...(collections ? [`collections ${collections.join(', ')}`] : []),
    ...(shown ? [`keys ${shown.length > 0 ? shown.join(', ') : 'that are private'}`] : []),
    ...(minDevices === undefined ? [] : [`from ${String(minDevices)} device${minDevices === 1 ? '' : 's'}`]),
  ];
  const scope = conditions.length === 0 ? 'every write' : conditions.join('; ');
  const by = approvers === undefined ? '' : ` by users with the role ${approvers}`;
  return `approval rule ${String(index + 1)} (${scope}) requires ${String(approvals)} approval${approvals === 1 ? '' : 's'}${by}`;
}
