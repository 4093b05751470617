import type { Failure } from '../src/api/audits';
import { failureGroupsOf, groupId } from '../src/pages/audits/failure-groups';

const failure = (id: number, kind: string | null, value: unknown, key = 'kernel'): Failure => ({
  ...{ kind: 'host', id, name: `web-${id}`, key, value, message: '' },
  source: kind === null ? null : { kind: kind as 'host', id: kind === 'host' ? id : 1, name: kind },
});

it('what sets the values of failing devices: levels first, own values of devices together', () => {
  const failures = [
    failure(1, 'host', '5.4'),
    failure(2, 'region', '6.1'),
    failure(3, null, undefined),
    failure(4, 'host', '5.5'),
    failure(5, 'host', '5.4'),
    failure(6, 'label', 1, 'mtu'),
    failure(7, 'region', '6.1'),
  ];
  const groups = failureGroupsOf(failures);
  expect(groups.map(({ type, key, devices }) => [type, key, devices.map(({ id }) => id)])).toEqual([
    ['level', 'kernel', [2, 7]],
    ['level', 'mtu', [6]],
    ['own', 'kernel', [1, 4, 5]],
  ]);
  expect(groups[2]).toMatchObject({ values: ['5.4', '5.5'] });
  expect(new Set(groups.map(groupId)).size).toBe(3);
});
