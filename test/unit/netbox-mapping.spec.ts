import { MAPPING_TEMPLATE } from '../../client/src/commands/import/netbox/mapping';
import { parseMapping } from '../../client/src/commands/import/netbox/netbox-mapping-file';
import { mapKeys, replaceInvalid } from '../../client/src/commands/import/variable-keys';
import { type NetBoxDevice, uniqueDeviceNames } from '../../client/src/commands/import/netbox/devices';
import { simplify } from '../../client/src/commands/import/netbox/answers';
import { Tree } from '../../client/src/commands/import/netbox/inventory';

describe('a mapping of NetBox', () => {
  it('has the defaults of its template', async () => {
    const defaults = await parseMapping('', 'map.yaml');
    expect(await parseMapping(MAPPING_TEMPLATE, 'map.yaml')).toEqual(defaults);
    expect(defaults).toMatchObject({
      regions: { from: 'region', name: 'path', separator: '/', fallback: 'unassigned' },
      cells: { from: 'site' },
      addresses: { missing: '0.0.0.0' },
      contexts: { invalidKeys: 'skip', labels: false },
    });
    expect([...defaults.labels.prefixes]).toContainEqual(['role', 'role:']);
    expect([...defaults.labels.prefixes.keys()]).not.toContain('site');
  });

  it('is completed member by member', async () => {
    const { regions, labels } = await parseMapping(
      'regions: { name: top }\nlabels: { tag: null }',
      'map.yaml',
    );
    expect(regions).toMatchObject({ from: 'region', name: 'top' });
    expect([...labels.prefixes.keys()]).toEqual(['role', 'platform', 'tenant', 'cluster']);
  });
});

describe('keys of config contexts', () => {
  const map = (keys: readonly string[], invalidKeys: 'skip' | 'replace', rename = {}) => {
    const mapped = mapKeys(keys, { invalidKeys, rename: new Map(Object.entries(rename)) });
    return { keys: Object.fromEntries(mapped.keys), refused: mapped.refused.map(({ key }) => key) };
  };

  it('stay as they are if Muster accepts them', () => {
    expect(map(['ntp', '_x', 'é-1', 'a.b', '1a', '', ' '], 'skip')).toEqual({
      keys: { ntp: 'ntp', _x: '_x', 'é-1': 'é-1' },
      refused: ['', ' ', '1a', 'a.b'],
    });
  });

  it('are replaced unless another key has the name, which takes precedence', () => {
    expect(map(['a.b', 'a_b', 'a b', '1'], 'replace')).toEqual({
      keys: { a_b: 'a_b', '1': '_1' },
      refused: ['a b', 'a.b'],
    });
    expect(map(['x', 'y'], 'skip', { x: 'y' })).toEqual({ keys: { y: 'y' }, refused: ['x'] });
  });

  it.each([
    ['', '_'],
    ['a b', 'a_b'],
    ['-a', '_-a'],
    ['1', '_1'],
    ['café ☕', 'café__'],
  ])('are valid after a replacement: %j', (key, expected) => {
    expect(replaceInvalid(key)).toBe(expected);
  });
});

describe('names of devices', () => {
  const device = (id: string, more: Partial<NetBoxDevice>): NetBoxDevice => ({
    ...{ type: 'device', id, name: undefined, display: `display ${id}`, status: 'active' },
    ...{ role: undefined, platform: undefined, tenant: undefined, cluster: undefined, site: undefined },
    ...{ location: undefined, rack: undefined, model: undefined, tags: [], address: undefined },
    ...{
      bayDevice: undefined,
      hostDevice: undefined,
      chassis: undefined,
      context: new Map(),
      own: new Map(),
    },
    ...more,
  });
  const at = (slug: string) => ({ id: '1', name: slug, slug });
  const names = (...devices: NetBoxDevice[]): string[] => [...uniqueDeviceNames(devices).values()];

  it('are those of NetBox, or the ones that it shows', () => {
    const chassis = { name: 'stack', master: '1', position: '2' };
    expect(names(device('1', { name: 'a' }), device('2', {}), device('3', { chassis }))).toEqual([
      ...['a', 'display 2', 'stack:2'],
    ]);
  });

  it('get the site or cluster if they are not unique, and else their id', () => {
    const machine = { type: 'virtual-machine' as const, name: 'a' };
    expect(
      names(
        device('1', { name: 'a', site: at('x') }),
        device('2', { name: 'a', site: at('y') }),
        device('3', { ...machine, cluster: { id: '1', name: 'k', slug: '' } }),
        device('4', { ...machine, site: at('x') }),
        device('5', { ...machine }),
        device('6', { name: 'b' }),
      ),
    ).toEqual(['a@device-1', 'a@y', 'a@k', 'a@virtual-machine-4', 'a@virtual-machine-5', 'b']);
  });

  it('get the id if another device has the name with the site', () => {
    const [x, y] = [{ site: at('x') }, { site: at('y') }];
    expect(
      names(
        device('1', { name: 'a', ...x }),
        device('2', { name: 'a', ...y }),
        device('3', { name: 'a@x', ...x }),
      ),
    ).toEqual(['a@device-1', 'a@y', 'a@x@device-3']);
  });
});

describe('values of custom fields', () => {
  it.each([
    [null, undefined],
    [{ value: 'gold', label: 'Gold' }, 'gold'],
    [{ id: 1, url: 'u', display: 'Ops (1)', name: 'Ops' }, 'Ops'],
    [{ id: 1, url: 'u', display: '192.0.2.1/24' }, '192.0.2.1/24'],
    [
      [{ id: 1, url: 'u', display: 'x', name: 'a' }, 'b'],
      ['a', 'b'],
    ],
    [
      { value: 1, label: 'x', more: 2 },
      { value: 1, label: 'x', more: 2 },
    ],
    [{ n: [1, null] }, { n: [1, null] }],
    ['', ''],
    [false, false],
  ])('become simple: %j', (value, expected) => {
    expect(simplify(value)).toEqual(expected);
  });
});

describe('a tree of NetBox', () => {
  it('knows the path to an item, even if the tree is incomplete or a cycle', () => {
    const item = (id: string, parent?: string) => ({ id, name: id, slug: id, parent });
    const tree = new Tree([
      item('a'),
      item('b', 'a'),
      item('c', 'b'),
      item('d', 'x'),
      item('e', 'f'),
      item('f', 'e'),
    ]);
    const path = (id: string): string =>
      tree
        .pathOf(id)
        .map(({ name }) => name)
        .join('/');
    expect(['c', 'd', 'x', 'e'].map(path)).toEqual(['a/b/c', 'd', '', 'f/e']);
  });
});
