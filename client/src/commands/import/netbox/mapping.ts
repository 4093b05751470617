import { usageError } from '../../../cli-error';
import type { MappingSection } from '../mapping-section';
import { variableKeyError, type KeyMapping } from '../variable-keys';
import { cleanName } from './names';

/** How NetBox is mapped to Muster. `MAPPING_TEMPLATE` explains the members. Undefined stands for null. */
export interface Mapping {
  readonly regions: {
    readonly from: 'region' | 'site_group' | 'site';
    readonly name: 'path' | 'top';
    readonly separator: string;
    readonly fallback: string | undefined;
  };
  readonly cells: { readonly from: 'site' | 'location' | 'rack' | 'none' };
  readonly devices: {
    readonly virtualMachines: boolean;
    readonly networkDeviceRoles: readonly string[];
    readonly skipRoles: readonly string[];
    readonly skipStatuses: readonly string[];
    readonly activeStatuses: readonly string[];
    readonly deviceType: 'role' | 'model';
    readonly unnamed: 'display' | 'skip';
  };
  readonly addresses: {
    readonly prefer: 'netbox' | 'ipv4' | 'ipv6';
    readonly outOfBand: boolean;
    readonly missing: string | undefined;
  };
  readonly labels: {
    /** The prefix of each kind of label. */
    readonly prefixes: ReadonlyMap<LabelKind, string>;
    readonly ancestors: boolean;
  };
  readonly parents: {
    readonly deviceBay: boolean;
    readonly virtualChassis: boolean;
    readonly hostDevice: boolean;
    readonly uplinks: readonly string[];
  };
  readonly variables: {
    readonly customFieldPrefix: string;
    readonly skipCustomFields: readonly string[];
    /** Paths by keys. */
    readonly members: ReadonlyMap<string, string>;
  };
  readonly contexts: KeyMapping & {
    readonly skipKeys: readonly string[];
    readonly labels: boolean;
  };
  readonly importLabel: string;
}

const LABEL_KINDS = ['role', 'platform', 'tenant', 'tag', 'cluster', 'site'] as const;
export type LabelKind = (typeof LABEL_KINDS)[number];

/**
 * The mapping of a parsed mapping file.
 * @param root its members, over those of `MAPPING_TEMPLATE`
 * @param file its name, for messages
 * @throws CliError for wrong values
 */
export function toMapping(root: MappingSection, file: string): Mapping {
  const regions = root.section('regions');
  const cells = root.section('cells');
  const devices = root.section('devices');
  const addresses = root.section('addresses');
  const labels = root.section('labels');
  const parents = root.section('parents');
  const variables = root.section('variables');
  const contexts = root.section('config_contexts');
  const mapping: Mapping = {
    regions: {
      from: regions.choice('from', ['region', 'site_group', 'site']),
      name: regions.choice('name', ['path', 'top']),
      separator: regions.text('separator'),
      fallback: regions.optionalText('fallback'),
    },
    cells: { from: cells.choice('from', ['site', 'location', 'rack', 'none']) },
    devices: {
      virtualMachines: devices.boolean('virtual_machines'),
      networkDeviceRoles: devices.texts('network_device_roles'),
      skipRoles: devices.texts('skip_roles'),
      skipStatuses: devices.texts('skip_statuses'),
      activeStatuses: devices.texts('active_statuses'),
      deviceType: devices.choice('device_type', ['role', 'model']),
      unnamed: devices.choice('unnamed', ['display', 'skip']),
    },
    addresses: {
      prefer: addresses.choice('prefer', ['netbox', 'ipv4', 'ipv6']),
      outOfBand: addresses.boolean('out_of_band'),
      missing: addresses.optionalAddress('missing'),
    },
    labels: {
      prefixes: new Map(
        LABEL_KINDS.flatMap((kind) => {
          const prefix = labels.optionalText(kind);
          return prefix === undefined ? [] : [[kind, prefix]];
        }),
      ),
      ancestors: labels.boolean('ancestors'),
    },
    parents: {
      deviceBay: parents.boolean('device_bay'),
      virtualChassis: parents.boolean('virtual_chassis'),
      hostDevice: parents.boolean('host_device'),
      uplinks: parents.texts('uplinks'),
    },
    variables: {
      customFieldPrefix: variables.text('custom_field_prefix', ''),
      skipCustomFields: variables.texts('skip_custom_fields'),
      members: variables.textMap('members'),
    },
    contexts: {
      skipKeys: contexts.texts('skip_keys'),
      ...contexts.keyMapping(),
      labels: contexts.boolean('labels'),
    },
    importLabel: root.text('import_label'),
  };
  assertConsistent(mapping, file);
  return mapping;
}

function assertConsistent({ regions, cells, labels, variables, importLabel }: Mapping, file: string): void {
  const fail = (member: string, message: string): never => {
    throw usageError(`${file}: ${member}: ${message}`);
  };
  if (regions.from === 'site' && cells.from === 'site')
    fail('cells.from', 'sites are regions already: use location, rack or none.');
  for (const [member, name] of [
    ['regions.fallback', regions.fallback],
    ['import_label', importLabel],
  ] as const)
    if (name !== undefined && cleanName(name) !== name)
      fail(member, 'a name must not contain control characters, invisible characters or outer spaces.');
  for (const [kind, prefix] of labels.prefixes)
    if (/[,\p{Cc}]/u.test(prefix))
      fail(`labels.${kind}`, 'a label must not contain commas or control characters.');
  for (const key of variables.members.keys()) {
    const error = variableKeyError(key);
    if (error !== undefined) fail('variables.members', `${error}.`);
  }
}

/** The default mapping, with comments. It is also what a mapping file is completed with. */
export const MAPPING_TEMPLATE = `# Mapping of NetBox to Muster, with the defaults. A mapping file needs only the members that differ.
# Patterns may contain * and ?. Roles, statuses and tags are given by their slugs.

regions:
  from: region # what becomes regions: region, site_group or site
  name: path # path: the whole path in the tree, "Europe/Germany"; top: only the top level, "Europe"
  separator: / # between the names of a path
  fallback: unassigned # the region of devices without one; null: skip them

cells:
  from: site # what becomes cells: site, location, rack or none

devices:
  virtual_machines: true # whether virtual machines are imported
  # The roles of network devices, and of everything below them in the tree of roles. All others become hosts.
  network_device_roles: ['*router*', '*switch*', '*firewall*', '*gateway*', '*wireless*', '*access-point*']
  skip_roles: [] # devices with these roles, or roles below them, are skipped: [patch-panel, pdu]
  skip_statuses: [] # devices with these statuses are skipped: [decommissioning]
  active_statuses: [active] # devices with these statuses are active in Muster, all others inactive
  device_type: role # the device_type in Muster: role, or model for the slug of the device type
  unnamed: display # devices without a name: display for the name that NetBox shows, or skip

addresses:
  prefer: netbox # the primary address: netbox for the one that NetBox prefers, ipv4 or ipv6
  out_of_band: false # whether the out-of-band address replaces a missing primary address
  missing: 0.0.0.0 # the address of devices without one, because Muster requires it; null: skip them

# Prefixes of labels; null: no such labels.
labels:
  role: 'role:'
  platform: 'platform:'
  tenant: 'tenant:'
  tag: 'tag:'
  cluster: 'cluster:'
  site: null
  ancestors: false # whether the roles and platforms above a device's own become labels, too

# Which relations become parents. The first that a device has applies.
parents:
  device_bay: true # a device in a bay: the device with the bay
  virtual_chassis: true # a member of a virtual chassis: its master
  host_device: true # a virtual machine: the device that it is pinned to
  # Roles of upstream devices, from the top of the network. The parent is the closest device in them, above the device's
  # own role, that a cable connects it to: [core-switch, distribution-switch, access-switch]
  uplinks: []

variables:
  # Custom fields with a value become variables of the device, with this prefix. Patterns of names that do not:
  custom_field_prefix: cf_
  skip_custom_fields: []
  # Members of NetBox's answer that become variables of the device: the key, and the path to the member.
  # members: { netbox_id: id, serial: serial, rack: rack.name }
  members: {}

config_contexts:
  skip_keys: [] # patterns of keys that are not imported, and that the import does not touch in Muster
  rename: {} # keys under other names: { 'a key with spaces': a_key_with_spaces }
  invalid_keys: skip # keys that Muster does not accept: skip, or replace for _ instead of their invalid characters
  labels: false # whether values are also set on labels, if that takes fewer settings

# The name of a label that no device has. It stores the keys of the last import, so that the next one removes keys that
# are no longer imported.
import_label: netbox-import
`;
