import type { Operation } from '../src/api/proposals';
import { operationTitle, problemText } from '../src/pages/proposal/operation-title';

const RESOURCES = [
  { kind: 'region', id: 3, name: 'north' },
  { kind: 'network-device', id: 4, name: null },
];

it.each([
  ['PUT', '/v1/regions/3/variables/ntp%5Fservers', 'Set ntp_servers on the region north'],
  ['DELETE', '/v1/regions/3/variables/ntp', 'Unset ntp on the region north'],
  ['PUT', '/v1/regions/3/variables', 'Set variables on the region north'],
  ['PUT', '/v1/regions/33', 'Change the region #33'],
  ['DELETE', '/v1/network-devices/4', 'Delete the network device #4'],
  ['PUT', '/v1/network-devices/4/labels', 'Add labels to the network device #4'],
  ['POST', '/v1/labels', 'Create a label'],
  ['POST', '/v1/audits', 'Create an audit'],
  ['PUT', '/v1/projects/95c63136-b5dd-4bcd-88c5-5ba42f8de033/settings', 'Change the settings of the project'],
  ['PUT', '/v1/hosts/variables?region_id=3', undefined],
  ['POST', '/v1/changes/7/revert', undefined],
  ['POST', '/v1/changes/7', undefined],
  ['PUT', '/v1/regions/{a.id}/variables', undefined],
  ['PUT', null, undefined],
] as const)('%s %s: %s', (method, path, title) => {
  const operation = { method, path } as Operation;
  expect(operationTitle(operation, RESOURCES)).toBe(title);
});

it('tells the number of lines of an import', () => {
  expect(operationTitle({ method: 'POST', path: '/v1/import', body: [{}, {}] }, [])).toBe('Import 2 lines');
});

it.each([
  [0, 'operations[0]: The name is in use.', 'Set ntp on the region north: The name is in use.'],
  [1, 'operations[1]: It is gone.', 'Operation 2: It is gone.'],
  // A proposal of one request, and what no operation alone is the reason of.
  [0, 'The name is in use.', 'The name is in use.'],
  [null, 'It would change too many devices.', 'It would change too many devices.'],
])('a problem of operation %j, %j, is shown as %j', (operation, message, expected) => {
  const operations = [
    { method: 'PUT', path: '/v1/regions/3/variables/ntp' },
    { method: 'PUT', path: '/v1/hosts/variables?region_id=3' },
  ] as Operation[];
  expect(problemText({ operation, message }, { operations, resources: RESOURCES })).toBe(expected);
});
