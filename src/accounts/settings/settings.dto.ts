import { ApiPropertyOptional } from '@nestjs/swagger';
import { patternError } from '../../changes/change-reason';
import { BooleanCheck, JsonCheck, Nullable, Optional } from '../../http/body-validation';
import type { ApprovalRule } from '../../auth/project-policies';
import { ADMIN_APPROVERS } from '../../changes/approval-rules';
import { roleError } from '../../core/context/request-context';
import { isObject, variableKeyError } from '../../core/context/variable-keys';
import { APPROVAL_LIMITS, ApprovalRuleView, ChangeReasonView } from './settings.entity';
import { fault, type Fault } from '../../core/error-details';

const MAX_PRIVATE = 200;

const OPTIONAL_PREFIX = 'private:';

/** Removes the optional prefix of a key in `private`. */
export const privateKey = (text: string): string =>
  text.startsWith(OPTIONAL_PREFIX) ? text.slice(OPTIONAL_PREFIX.length) : text;

function privateFault(value: unknown): Fault | undefined {
  if (!Array.isArray(value) || value.length > MAX_PRIVATE)
    return fault(
      Array.isArray(value) ? 'too_long' : 'invalid_type',
      `must be an array of at most ${String(MAX_PRIVATE)} strings`,
    );
  return firstFault(value, (given) =>
    typeof given === 'string' ? patternFault(given, privateKey(given)) : keyTypeFault,
  );
}

const keyTypeFault = fault('invalid_type', 'a key is a string');

function patternFault(given: string, key = given): Fault | undefined {
  const prefix = key.endsWith('*') ? key.slice(0, -1) : undefined;
  if (prefix === '' || variableKeyError(prefix ?? key) === undefined) return undefined;
  return fault(
    'invalid_format',
    `${JSON.stringify(given)} is neither a variable's key nor a prefix of keys with *`,
  );
}

function firstFault<T>(values: readonly T[], check: (value: T) => Fault | undefined): Fault | undefined {
  for (const value of values) {
    const error = check(value);
    if (error) return error;
  }
  return undefined;
}

const isCount = (value: unknown, max: number): boolean =>
  Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= max;

type RuleCheck = (value: unknown) => Fault | undefined;

const listCheck =
  (name: string, check: RuleCheck): RuleCheck =>
  (value) =>
    Array.isArray(value) && value.length >= 1 && value.length <= APPROVAL_LIMITS.items
      ? firstFault<unknown>(value, check)
      : fault('invalid_type', `${name} must be an array of 1 to ${String(APPROVAL_LIMITS.items)} strings`);

const countCheck =
  (name: string, max: number): RuleCheck =>
  (value) =>
    isCount(value, max)
      ? undefined
      : fault('out_of_range', `${name} must be an integer from 1 to ${String(max)}`);

/** The collections that rules name are checked by the service, which knows them. */
const RULE_CHECKS: Readonly<Record<keyof ApprovalRule, RuleCheck>> = {
  keys: listCheck('keys', (key) => (typeof key === 'string' ? patternFault(key) : keyTypeFault)),
  collections: listCheck('collections', (name) =>
    typeof name === 'string' ? undefined : fault('invalid_type', 'the name of a collection is a string'),
  ),
  min_devices: countCheck('min_devices', Number.MAX_SAFE_INTEGER),
  approvals: countCheck('approvals', APPROVAL_LIMITS.approvals),
  approvers: (role) => {
    if (typeof role !== 'string') return fault('invalid_type', 'approvers must be a role');
    return role === ADMIN_APPROVERS ? undefined : roleError(role);
  },
};

function ruleFault(rule: unknown): Fault | undefined {
  if (!isObject(rule)) return fault('invalid_type', 'a rule is an object');
  const unknown = Object.keys(rule).find((member) => !Object.hasOwn(RULE_CHECKS, member));
  if (unknown !== undefined)
    return fault(
      'unknown_member',
      `a rule has no member ${JSON.stringify(unknown.slice(0, MAX_NAME_SHOWN))}`,
    );
  if (rule['approvals'] === undefined) return fault('required', 'a rule needs approvals: their number');
  return firstFault(Object.entries(rule), ([member, value]) =>
    RULE_CHECKS[member as keyof ApprovalRule](value),
  );
}

/** In characters, of a name that the client has sent. */
const MAX_NAME_SHOWN = 100;

function approvalsFault(value: unknown): Fault | undefined {
  const message = `must be an array of at most ${String(APPROVAL_LIMITS.rules)} rules`;
  if (!Array.isArray(value)) return fault('invalid_type', message);
  if (value.length > APPROVAL_LIMITS.rules) return fault('too_long', message);
  for (const [index, rule] of value.entries()) {
    const error = ruleFault(rule);
    if (error) return fault(error.code, `[${String(index)}]: ${error.message}`);
  }
  return undefined;
}

function changeReasonFault(value: unknown): Fault | undefined {
  if (!isObject(value) || Object.keys(value).some((member) => member !== 'required' && member !== 'pattern'))
    return fault('invalid_type', 'must be null, or an object of required and pattern');
  const { required, pattern = null } = value;
  if (typeof required !== 'boolean') return fault('invalid_type', 'required must be true or false');
  if (pattern === null) return undefined;
  if (typeof pattern !== 'string') return fault('invalid_type', 'pattern must be a string or null');
  const error = patternError(pattern);
  return error === undefined ? undefined : fault('invalid_format', `pattern ${error}`);
}

export class UpdateSettings {
  @Nullable()
  @JsonCheck('change_reason', changeReasonFault)
  @ApiPropertyOptional({
    type: ChangeReasonView,
    nullable: true,
    description: '`null`: no reason is required.',
  })
  change_reason?: { required: boolean; pattern?: string | null } | null;

  @Optional()
  @JsonCheck('private', privateFault)
  @ApiPropertyOptional({
    type: [String],
    maxItems: MAX_PRIVATE,
    example: ['db_password', 'secret_*'],
    description:
      'Keys, or prefixes of keys followed by `*`. The whole set; `private:db_password` is the same key.',
  })
  private?: string[];

  @Optional()
  @BooleanCheck()
  @ApiPropertyOptional({
    example: true,
    description:
      'Whether a device cannot get an address that another device of the project has. Existing devices are not checked.',
  })
  unique_addresses?: boolean;

  @Optional()
  @BooleanCheck()
  @ApiPropertyOptional({
    example: true,
    description:
      'Whether users without roles see no other users and no change records, and create no API keys.',
  })
  restricts_readers?: boolean;

  @Optional()
  @JsonCheck('approvals', approvalsFault)
  @ApiPropertyOptional({
    type: [ApprovalRuleView],
    maxItems: APPROVAL_LIMITS.rules,
    example: [{ keys: ['ntp_*'], collections: ['regions'], min_devices: 100, approvals: 1 }],
    description:
      'Which writes need approvals: the whole list. A write meets a rule if it fulfils all that the rule names. In a project with rules, a change of the list meets all of them.',
  })
  approvals?: ApprovalRule[];
}
