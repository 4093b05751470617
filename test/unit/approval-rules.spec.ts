import type { ApprovalRule } from '../../src/auth/project-policies';
import {
  describeRule,
  hasRole,
  metRules,
  missingApprovals,
  requiredApprovals,
  type RuleSubject,
} from '../../src/changes/approval-rules';
import { Visibility } from '../../src/core/context/variable-keys';

const subject = (parts: Partial<RuleSubject>): RuleSubject => ({
  collections: new Set(['regions']),
  keys: new Set(['ntp_servers']),
  devices: 10,
  changesRules: false,
  ...parts,
});

const met = (rules: readonly ApprovalRule[], parts: Partial<RuleSubject> = {}): number[] =>
  metRules(subject(parts), rules).map(({ index }) => index);

describe('a rule is met', () => {
  it.each<[string, Omit<ApprovalRule, 'approvals'>, Partial<RuleSubject>, boolean]>([
    ['by every write if it names nothing', {}, {}, true],
    ['but by no write of other things', {}, { collections: new Set() }, false],
    ['by a key', { keys: ['ntp_servers'] }, {}, true],
    ['by a prefix', { keys: ['dns', 'ntp_*'] }, {}, true],
    ['but not by other keys', { keys: ['ntp', 'dns_*'] }, {}, false],
    ['but not without keys', { keys: ['*'] }, { keys: new Set() }, false],
    ['by a collection', { collections: ['cells', 'regions'] }, {}, true],
    ['but not by other collections', { collections: ['hosts'] }, {}, false],
    ['by exactly as many devices', { min_devices: 10 }, {}, true],
    ['but not by fewer', { min_devices: 11 }, {}, false],
    ['by all that it names', { keys: ['ntp_*'], collections: ['regions'], min_devices: 1 }, {}, true],
    ['but not by a part of it', { keys: ['ntp_*'], collections: ['hosts'], min_devices: 1 }, {}, false],
    ['by a change of the rules', { keys: ['x'], min_devices: 99 }, { changesRules: true, devices: 0 }, true],
  ])('%s', (_, conditions, parts, isMet) => {
    expect(met([{ ...conditions, approvals: 1 }], parts)).toEqual(isMet ? [0] : []);
  });

  it('independently of other rules', () => {
    const rules = [{ keys: ['x'] }, { min_devices: 1 }, { collections: ['regions'] }];
    expect(met(rules.map((rule) => ({ ...rule, approvals: 1 })))).toEqual([1, 2]);
  });
});

const user = (id: number, roles: readonly string[], more = {}) => ({
  ...{ id, username: `user-${String(id)}`, isAdmin: false, isRoot: false, roles },
  ...more,
});

describe('hasRole', () => {
  it.each<[string | undefined, readonly string[], boolean]>([
    [undefined, [], true],
    ['regions:write', ['regions:write'], true],
    ['regions:write', ['*:write'], true],
    ['regions:write', ['cells:write', 'regions', '*'], false],
    ['*:write', ['regions:write'], false],
    ['ntp_*', ['ntp_*'], true],
    ['ntp_*', ['ntp*'], true],
    ['ntp_servers', ['ntp_*'], true],
    ['ntp_*', ['ntp_servers', '*:write'], false],
    ['admin', ['*:write', '*'], false],
  ])('%s, of a user with %j: %s', (role, roles, has) => {
    expect(hasRole(user(1, roles), role)).toBe(has);
    expect(hasRole(user(1, roles, { isAdmin: true }), role)).toBe(true);
    expect(hasRole(user(1, roles, { isRoot: true }), role)).toBe(true);
  });
});

describe('the approvals', () => {
  const rules = [
    { index: 0, rule: { approvals: 2 } },
    { index: 3, rule: { approvals: 1, approvers: 'regions:write' } },
  ];

  it('that are required are those of the strictest rule', () => {
    expect(requiredApprovals(rules)).toBe(2);
    expect(requiredApprovals([])).toBe(0);
  });

  it.each<[readonly ReturnType<typeof user>[], readonly (readonly [number, number])[]]>([
    [
      [],
      [
        [0, 0],
        [3, 0],
      ],
    ],
    [
      [user(1, [])],
      [
        [0, 1],
        [3, 0],
      ],
    ],
    [[user(1, []), user(2, [])], [[3, 0]]],
    [
      [user(1, []), user(1, [])],
      [
        [0, 1],
        [3, 0],
      ],
    ],
    [[user(1, []), user(2, ['regions:write'])], []],
    [[user(1, [], { isAdmin: true })], [[0, 1]]],
  ])('%j leave %j', (approvers, missing) => {
    expect(missingApprovals(rules, approvers).map(({ index, given }) => [index, given])).toEqual(missing);
  });
});

describe('describeRule', () => {
  const rule = {
    keys: ['ntp_*', 'secret_a'],
    collections: ['regions'],
    min_devices: 2,
    approvals: 2,
    approvers: 'x',
  };

  it('says what the rule names', () => {
    expect(describeRule({ index: 1, rule }, Visibility.ALL)).toBe(
      'approval rule 2 (collections regions; keys ntp_*, secret_a; from 2 devices) requires 2 approvals by users with the role x',
    );
    expect(describeRule({ index: 0, rule: { approvals: 1 } }, Visibility.ALL)).toBe(
      'approval rule 1 (every write) requires 1 approval',
    );
  });

  it('names no keys that are hidden from the caller', () => {
    const hiding = new Visibility(['secret_*'], []);
    expect(describeRule({ index: 1, rule }, hiding)).toContain('keys ntp_*;');
    expect(describeRule({ index: 1, rule: { keys: ['secret_a'], approvals: 1 } }, hiding)).toBe(
      'approval rule 2 (keys that are private) requires 1 approval',
    );
  });
});
