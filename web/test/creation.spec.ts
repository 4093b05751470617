import { createMembers, type CreateMember } from '@muster/api-types/create-members';
import { copiedMembers } from '../src/components/copied-members';
import { creationOf, namesText } from '../src/components/creation';
import { planRevert } from '../src/components/plan-revert';
import { reasonText } from '../src/components/change-reason';

const hosts: readonly CreateMember[] = createMembers['hosts'] ?? [];

it('a reason is one line, as a header has it', () => {
  expect(reasonText(' CHG-1:\r\n\tnew kernel\u0000 \n')).toBe('CHG-1: new kernel');
  expect(planRevert(7, 'a\n\nb').reason).toBe('Reverts #7: a b');
});

describe('new resources', () => {
  it('have the members that were entered, and their JSON values', () => {
    const values = {
      name: ' web-1 ',
      region_id: 3,
      cell_id: null,
      ip_address: '10.0.0.1',
      device_type: 'server',
      active: false,
      labels: 'web, db',
      note: '',
      variables: '{"serial": 9007199254740991, "rack": "b"}',
    };
    const created = creationOf(hosts, values);
    expect(created).toMatchObject({ names: ['web-1'] });
    expect(JSON.stringify('names' in created ? created.bodies : created)).toBe(
      '[{"name":"web-1","labels":"web, db","variables":{"serial":9007199254740991,"rack":"b"},"active":false,' +
        '"region_id":3,"ip_address":"10.0.0.1","device_type":"server"}]',
    );
    expect('names' in created ? created.words : created).toEqual([
      ...['web-1', '--labels', 'web, db', '--set', 'serial:=9007199254740991', '--set', 'rack:="b"'],
      ...['--no-active', '--region', '3', '--ip-address', '10.0.0.1', '--device-type', 'server'],
    ]);
  });

  it('are several with a range in the name, in step with which the other texts are expanded', () => {
    const values = {
      name: 'z-{8..10}',
      region_id: 3,
      ip_address: '10.0.0.{8..10}',
      device_type: 'server',
      variables: '{"unit": "{1..3}"}',
    };
    expect(creationOf(hosts, values)).toMatchObject({
      names: ['z-8', 'z-9', 'z-10'],
      bodies: [
        { name: 'z-8', region_id: 3, ip_address: '10.0.0.8', variables: { unit: '1' } },
        { name: 'z-9', ip_address: '10.0.0.9', variables: { unit: '2' } },
        { name: 'z-10', ip_address: '10.0.0.10', variables: { unit: '3' } },
      ],
      words: [
        'z-{8..10}',
        '--set',
        'unit:="{1..3}"',
        '--region',
        '3',
        '--ip-address',
        '10.0.0.{8..10}',
        '--device-type',
        'server',
      ],
    });
  });

  it('of labels are named by their label', () => {
    expect(creationOf(createMembers['labels'] ?? [], { label: 'web' })).toMatchObject({
      names: ['web'],
      bodies: [{ label: 'web' }],
    });
  });

  it.each([
    [{ name: ' ' }, 'name', 'Enter a name.'],
    [{ name: 'z-{3..1}' }, 'name', 'Invalid range {3..1}: it ends before it begins.'],
    [
      { name: 'z-{1..3}', ip_address: '10.0.0.{1..4}' },
      'name',
      'The ranges have different lengths: 3 in the name, 4 in another value.',
    ],
    [{ name: 'z', variables: '{' }, 'variables', 'This is not valid JSON.'],
    [{ name: 'z', variables: '[1]' }, 'variables', 'Enter an object, such as {"rack_unit": 12}.'],
  ])('are not created from %j', (values, field, message) => {
    expect(creationOf(hosts, values)).toEqual({ field, message });
  });

  it.each([
    [['a'], 'a'],
    [['a', 'b'], 'a, b'],
    [['a', 'b', 'c'], 'a, b, c'],
    [['a', 'b', 'c', 'd'], 'a, b … d'],
  ])('are named in short: %j', (names, text) => {
    expect(namesText(names)).toBe(text);
  });

  it('copied from another one have its members, except its name and address', () => {
    const device = {
      name: 'web-1',
      ip_address: '10.0.0.1',
      note: 'CHG-1',
      labels: 'web',
      cell_id: 4,
      variables: { a: [1] },
    };
    expect(copiedMembers(device)).toEqual({
      labels: 'web',
      cell_id: 4,
      variables: '{\n  "a": [\n    1\n  ]\n}',
    });
    expect(copiedMembers({ label: 'web', variables: {} })).toEqual({});
  });
});
