import type { ListTexts } from './server';

type Members = Record<string, unknown>;

/** The lists of a NetBox, as objects that a test can change. Ids are unique in each list. */
export interface NetBoxLists {
  readonly 'dcim/regions': Members[];
  readonly 'dcim/site-groups': Members[];
  readonly 'dcim/sites': Members[];
  readonly 'dcim/locations': Members[];
  readonly 'dcim/device-roles': Members[];
  readonly 'dcim/platforms': Members[];
  readonly 'virtualization/clusters': Members[];
  readonly 'extras/config-contexts': Members[];
  readonly 'dcim/devices': Members[];
  readonly 'virtualization/virtual-machines': Members[];
  readonly 'dcim/interfaces': Members[];
}

/** The texts that a server sends. */
export const textsOf = (lists: NetBoxLists): ListTexts =>
  new Map(
    Object.entries(lists).map(([path, items]: [string, Members[]]) => [
      path,
      items.map((item) => JSON.stringify(item)),
    ]),
  );

const slugOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

/** An object with a name and a slug, as lists and other objects contain it. */
const object = (id: number, name: string, more: Members = {}): Members => ({
  id,
  url: `http://netbox.example/api/object/${String(id)}/`,
  display: name,
  name,
  slug: slugOf(name),
  ...more,
});

const choice = (value: string): Members => ({ value, label: value });

const address = (text: string): Members => ({ id: 1, url: '', display: text, address: text });

/** The members of a config context that name what it is assigned to. */
const ASSIGNMENTS = [
  ...['regions', 'site_groups', 'sites', 'locations', 'device_types', 'roles', 'platforms', 'cluster_types'],
  ...['cluster_groups', 'clusters', 'tenant_groups', 'tenants', 'tags'],
];

const context = (id: number, name: string, data: Members, assigned: Members = {}): Members => ({
  ...object(id, name),
  weight: 1000 + id,
  is_active: true,
  ...Object.fromEntries(ASSIGNMENTS.map((member) => [member, []])),
  ...assigned,
  data,
});

const region = {
  europe: object(1, 'Europe', { parent: null }),
  germany: object(2, 'Germany', { parent: object(1, 'Europe') }),
  france: object(3, 'France', { parent: object(1, 'Europe') }),
};
const site = {
  berlin: object(1, 'Berlin', { region: region.germany, group: object(1, 'Offices') }),
  paris: object(2, 'Paris', { region: region.france, group: null }),
  lab: object(3, 'Lab', { region: null, group: null }),
};
const role = {
  network: object(1, 'Network', { parent: null }),
  switch: object(2, 'Switch', { parent: object(1, 'Network') }),
  router: object(3, 'Router', { parent: object(1, 'Network') }),
  server: object(4, 'Server', { parent: null }),
  pdu: object(5, 'PDU', { parent: null }),
};
const deviceType = {
  id: 1,
  url: '',
  display: 'QFX 5100',
  manufacturer: object(1, 'Juniper'),
  model: 'QFX 5100',
  slug: 'qfx-5100',
};

/** A device. A test gives what matters to it. */
export const device = (id: number, name: string | null, more: Members): Members => ({
  ...{ id, name, url: '', display: name ?? `Juniper QFX 5100 (${String(id)})` },
  ...{
    device_type: deviceType,
    role: role.server,
    tenant: null,
    platform: null,
    serial: '',
    asset_tag: null,
  },
  ...{ site: site.berlin, location: null, rack: null, parent_device: null, status: choice('active') },
  ...{ primary_ip: null, primary_ip4: null, primary_ip6: null, oob_ip: null, cluster: null },
  ...{ virtual_chassis: null, vc_position: null, tags: [], custom_fields: {}, config_context: {} },
  ...more,
});

/** A virtual machine. */
export const machine = (id: number, name: string, more: Members): Members => ({
  ...{ id, name, url: '', display: name, role: null, tenant: null, platform: null, status: choice('active') },
  ...{ site: null, cluster: null, device: null, primary_ip: null, primary_ip4: null, primary_ip6: null },
  ...{ tags: [], custom_fields: {}, config_context: {} },
  ...more,
});

/** What the config contexts below render for devices everywhere. */
const everywhere = { ntp: ['pool.example.net'], mtu: 1500 };
const inGermany = { ...everywhere, timezone: 'Europe/Berlin' };
const inFrance = { ...everywhere, timezone: 'Europe/Paris' };

const location = object(1, 'Room 1', { site: site.berlin, parent: null });
const cage = object(2, 'Cage', { site: site.berlin, parent: object(1, 'Room 1') });
const rack = object(1, 'R1');
const cluster = {
  berlin: object(1, 'kvm, Berlin', {
    slug: undefined,
    scope_type: 'dcim.site',
    scope_id: 1,
    scope: site.berlin,
  }),
  france: object(2, 'cloud-fr', { scope_type: 'dcim.region', scope_id: 3, scope: region.france }),
  nowhere: object(3, 'cloud', { scope_type: null, scope_id: null, scope: null }),
};
const chassis = object(1, 'stack', { master: object(12, 'x'), slug: undefined });

/** A small NetBox with the peculiarities of a large one. Every call returns new objects. */
export function smallNetBox(): NetBoxLists {
  return unshared({
    'dcim/regions': Object.values(region),
    'dcim/site-groups': [object(1, 'Offices', { parent: null })],
    'dcim/sites': Object.values(site),
    'dcim/locations': [location, cage],
    'dcim/device-roles': Object.values(role),
    'dcim/platforms': [
      object(1, 'Linux', { parent: null }),
      object(2, 'Debian', { parent: object(1, 'Linux') }),
    ],
    'virtualization/clusters': Object.values(cluster),
    'extras/config-contexts': [
      context(1, 'global', everywhere),
      context(2, 'germany', { timezone: 'Europe/Berlin' }, { regions: [region.germany] }),
      context(3, 'france', { timezone: 'Europe/Paris' }, { regions: [region.france] }),
      context(4, 'switches', { mtu: 9000, stp: { mode: 'rstp' } }, { roles: [role.switch] }),
      context(5, 'paris', { site_code: 'PAR' }, { sites: [site.paris] }),
      context(6, 'retired', { old: true }, {}),
    ].map((one) => (one['name'] === 'retired' ? { ...one, is_active: false } : one)),
    'dcim/devices': [
      device(10, 'berlin-rt1', {
        ...{ role: role.router, primary_ip: address('192.0.2.1/24'), primary_ip4: address('192.0.2.1/24') },
        ...{
          rack,
          location: cage,
          platform: object(2, 'Debian'),
          tags: [object(1, 'Core')],
          config_context: inGermany,
        },
      }),
      device(11, 'berlin-web1', {
        ...{ primary_ip: address('2001:db8::11/64'), primary_ip4: address('192.0.2.11/24') },
        ...{ rack, location, tenant: object(1, 'Acme Inc'), serial: 'S-11', config_context: inGermany },
        custom_fields: { tier: choice('gold'), owner: object(7, 'Ops'), notes: null, watts: 65.25 },
      }),
      ...[12, 13].map((id) =>
        device(id, null, {
          ...{
            role: role.switch,
            virtual_chassis: chassis,
            vc_position: id - 11,
            display: `stack:${String(id - 11)}`,
          },
          config_context: { ...inGermany, mtu: 9000, stp: { mode: 'rstp' } },
        }),
      ),
      device(14, null, { config_context: inGermany }),
      device(15, 'blade1', { parent_device: object(14, 'x', { name: null }), config_context: inGermany }),
      device(16, 'pdu1', { role: role.pdu, config_context: inGermany }),
      device(17, 'pdu1', {
        role: role.pdu,
        site: site.paris,
        config_context: { ...inFrance, site_code: 'PAR' },
      }),
      device(18, 'paris-web1', {
        ...{ site: site.paris, status: choice('planned'), oob_ip: address('198.51.100.18/24') },
        config_context: { ...inFrance, site_code: 'PAR' },
      }),
      device(19, 'lab1', { site: site.lab, config_context: everywhere }),
    ],
    'virtualization/virtual-machines': [
      machine(10, 'vm1', { ...{ cluster: cluster.berlin, site: site.berlin }, config_context: inGermany }),
      machine(11, 'vm-fr', { cluster: cluster.france, config_context: everywhere }),
      machine(12, 'vm-cloud', { cluster: cluster.nowhere, config_context: everywhere }),
      machine(13, 'vm1', { device: object(11, 'berlin-web1'), config_context: inGermany }),
    ],
    'dcim/interfaces': [
      connection(1, 11, 12),
      connection(2, 12, 11),
      connection(3, 12, 10),
      connection(4, 13, 10),
      connection(5, 10, 12),
    ],
  });
}

/** A copy in which no two members are the same object, so that a test can change one of them. */
const unshared = (lists: NetBoxLists): NetBoxLists => JSON.parse(JSON.stringify(lists)) as NetBoxLists;

/** An interface of a device whose cable leads to an interface of another one. */
const connection = (id: number, from: number, to: number): Members => ({
  ...{ id, url: '', display: `eth${String(id)}`, name: `eth${String(id)}`, device: object(from, 'x') },
  connected_endpoints: [{ id, url: '', display: 'eth0', device: object(to, 'x') }],
  connected_endpoints_type: 'dcim.interface',
});

/** The device with this id. */
export function deviceOf(lists: NetBoxLists, id: number): Members {
  const found = lists['dcim/devices'].find((one) => one['id'] === id);
  if (!found) throw new Error(`there is no device ${String(id)}`);
  return found;
}
