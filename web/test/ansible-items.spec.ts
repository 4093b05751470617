import { ansibleItems, type GroupTarget, readInventory } from '../src/pages/import/ansible-items';

/** The output of `ansible-inventory --list --export` for two hosts in two sites. */
const inventory = {
  _meta: {
    hostvars: {
      'web-1': { ansible_host: '10.9.0.1', own: 1 },
      'web-2': { ansible_host: '10.9.0.2', ntp: 'own' },
    },
  },
  all: { children: ['ungrouped', 'north', 'web', 'edge'], vars: { ntp: 'all', dns: 'all' } },
  north: { children: ['rack'], vars: { ntp: 'north' } },
  rack: { hosts: ['web-1'], vars: { ntp: 'rack', power: 'A' } },
  web: { hosts: ['web-1', 'web-2'], vars: { dns: 'web', kernel: '6.8', ansible_group_priority: 5 } },
  edge: { hosts: ['web-1', 'web-2'], vars: { kernel: '6.1', dns: 'edge' } },
};

const defaults = { kind: 'host', region: 'south', device_type: 'server', ip_address: '' };
const itemsOf = (document: unknown, targets: Readonly<Record<string, GroupTarget>>) =>
  ansibleItems(readInventory(document), new Map(Object.entries(targets)), defaults);

describe('variables of Ansible groups', () => {
  it('are set on what the groups become', () => {
    const items = itemsOf(inventory, { north: 'region', rack: 'cell', web: 'label', edge: 'label' });
    expect(items).toEqual([
      { kind: 'region', name: 'north', variables: { ntp: 'north', dns: 'all' } },
      { kind: 'cell', region: 'north', name: 'rack', variables: { ntp: 'rack', power: 'A' } },
      { kind: 'label', label: 'edge', variables: { kernel: '6.1', dns: 'edge' } },
      { kind: 'label', label: 'web', variables: { dns: 'web', kernel: '6.8' } },
      { kind: 'region', name: 'south', variables: { ntp: 'all', dns: 'all' } },
      expect.objectContaining({
        name: 'web-1',
        cell: 'rack',
        labels: ['edge', 'web'],
        variables: { own: 1 },
      }),
      expect.objectContaining({ name: 'web-2', labels: ['edge', 'web'], variables: { ntp: 'own' } }),
    ]);
  });

  it.each<[string, Readonly<Record<string, GroupTarget>>, object]>([
    // In Ansible the rack is deeper than the group web; in Muster a label is narrower than a region.
    [
      'are those of devices where nothing has them',
      { edge: 'label' },
      { ntp: 'rack', power: 'A', dns: 'web', kernel: '6.8', own: 1 },
    ],
    [
      'are not repeated where the precedence agrees',
      { rack: 'region', web: 'label', edge: 'label' },
      { own: 1 },
    ],
  ])('%s', (_name, targets, variables) => {
    expect(itemsOf(inventory, targets)).toContainEqual(expect.objectContaining({ name: 'web-1', variables }));
  });

  it('have the priority that their group says, then the order of names', () => {
    const { web, ...others } = inventory;
    // `a` has the variables of `web` without its priority, and comes before `edge`.
    const vars = { ...web.vars, ansible_group_priority: undefined };
    const items = itemsOf(
      { ...others, a: { ...web, vars } },
      { north: 'region', rack: 'cell', edge: 'label' },
    );
    expect(items).toContainEqual(expect.objectContaining({ name: 'web-1', variables: { own: 1 } }));
  });

  it.each(['Web', '10g'])('of all are those of the group %s where it has them', (name) => {
    const device = { _meta: { hostvars: { h: { ansible_host: '10.9.0.1' } } } };
    const groups = {
      all: { children: [name], vars: { ntp: 'all' } },
      [name]: { hosts: ['h'], vars: { ntp: 'group' } },
    };
    expect(itemsOf({ ...device, ...groups }, {})).toContainEqual(
      expect.objectContaining({ name: 'h', variables: { ntp: 'group' } }),
    );
  });

  it('are those of groups that contain each other in many ways', () => {
    const LEVELS = 40;
    // Two groups on each level contain both of the next one: there are 2^40 ways to the host.
    const groups = Array.from({ length: LEVELS }, (_, level) =>
      ['a', 'b'].map((side) => [
        `${side}${level}`,
        level === LEVELS - 1
          ? { hosts: ['h'], vars: { level } }
          : { children: [`a${level + 1}`, `b${level + 1}`], vars: { level, [`of_${level}`]: side } },
      ]),
    ).flat();
    const inventory = { all: { children: ['a0', 'b0'] }, ...(Object.fromEntries(groups) as object) };
    const [, host] = itemsOf({ ...inventory, _meta: { hostvars: { h: { ansible_host: '10.9.0.1' } } } }, {});
    expect(host).toMatchObject({ name: 'h', variables: { level: LEVELS - 1, of_0: 'b', of_38: 'b' } });
  });

  it('may be named like the prototype of objects', () => {
    const document: unknown = JSON.parse(
      `{"_meta": {"hostvars": {"h": {"ansible_host": "10.9.0.1"}}}, "web": {"hosts": ["h"], "vars": {"__proto__": {}, "toString": 1}}}`,
    );
    const variables: unknown = JSON.parse('{"__proto__": {}, "toString": 1}');
    const [, label, host] = itemsOf(document, { web: 'label' });
    expect(JSON.stringify(label)).toBe(JSON.stringify({ kind: 'label', label: 'web', variables }));
    expect(JSON.stringify(host)).toContain('"variables":{}');
    const [, own] = itemsOf(document, {});
    expect(JSON.stringify(own)).toContain('"variables":{"__proto__":{},"toString":1}');
  });

  it('are not imported for a group that contains itself', () => {
    expect(() => readInventory({ a: { children: ['b'] }, b: { children: ['a'] } })).toThrow(
      'The group a is its own descendant.',
    );
  });
});

describe('what Ansible prints', () => {
  const document = {
    _meta: {
      hostvars: {
        'web-1': {
          ansible_host: { __ansible_unsafe: '10.9.0.1' },
          tags: [{ __ansible_unsafe: 'a' }, 'b'],
          motd: { __ansible_unsafe: 'literal {{ braces }}' },
          password: { __ansible_vault: '$ANSIBLE_VAULT;1.1' },
          nested: { __ansible_unsafe: 'x', other: 1 },
        },
        'web-2': { 'net.ipv4.ip_forward': 1, 'my var': 2, kept: 3 },
      },
    },
    north: { hosts: ['web-1', 'web-2'], vars: { '1st': 1, domain: { __ansible_unsafe: 'x' } } },
  };

  it('is without the marks of texts that are no templates', () => {
    const items = ansibleItems(readInventory(document), new Map(), { ...defaults, ip_address: '0.0.0.0' });
    expect(items.find((item) => 'name' in item && item.name === 'web-1')).toMatchObject({
      ip_address: '10.9.0.1',
      variables: {
        tags: ['a', 'b'],
        motd: { __ansible_unsafe: 'literal {{ braces }}' },
        password: '$ANSIBLE_VAULT;1.1',
        nested: { __ansible_unsafe: 'x', other: 1 },
      },
    });
  });

  it('is imported without keys that are none, and with an address for hosts without one', () => {
    const inventoryOf = readInventory(document);
    expect(inventoryOf.refusedKeys).toEqual(['1st', 'my var', 'net.ipv4.ip_forward']);
    const targets = new Map<string, GroupTarget>([['north', 'region']]);
    expect(() => ansibleItems(inventoryOf, targets, defaults)).toThrow('web-2 has no address');
    expect(ansibleItems(inventoryOf, targets, { ...defaults, ip_address: '0.0.0.0' })).toEqual([
      { kind: 'region', name: 'north', variables: { domain: 'x' } },
      expect.objectContaining({ name: 'web-1', ip_address: '10.9.0.1' }),
      expect.objectContaining({ name: 'web-2', ip_address: '0.0.0.0', variables: { kept: 3 } }),
    ]);
  });
});
