import { isIP } from 'node:net';
import { exactJson, toMembers } from '../../../api/exact-json';
import { findClosest } from '../../../text';
import { usageError, type CliError } from '../../../cli-error';
import { readTextFile } from '../../../files/file-access';
import { parseYaml } from '../../../files/yaml-items';
import { variableKeyError } from './config-contexts';
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
  readonly contexts: {
    readonly skipKeys: readonly string[];
    /** Keys in Muster by keys in NetBox. */
    readonly rename: ReadonlyMap<string, string>;
    readonly invalidKeys: 'skip' | 'replace';
    readonly labels: boolean;
  };
  readonly importLabel: string;
}

const LABEL_KINDS = ['role', 'platform', 'tenant', 'tag', 'cluster', 'site'] as const;
export type LabelKind = (typeof LABEL_KINDS)[number];

/** Reads a mapping file; without one, returns the defaults. @throws CliError for an invalid file */
export async function readMapping(file: string | undefined): Promise<Mapping> {
  return parseMapping(file === undefined ? '{}' : await readTextFile(file), file ?? 'mapping');
}

/** @param text YAML; members that it does not have get their defaults @throws CliError */
export async function parseMapping(text: string, file: string): Promise<Mapping> {
  const defaults = toMembers(await parseYaml(MAPPING_TEMPLATE, 'mapping')) ?? new Map<string, unknown>();
  const document = await parseYaml(text, file);
  const given = document === null ? new Map<string, unknown>() : toMembers(document);
  if (!given)
    throw usageError(`${file} is not a mapping file. Its members are ${[...defaults.keys()].join(', ')}.`);
  const root = new Section(file, '', given, defaults);
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
      missing: addresses.optionalText('missing'),
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
      rename: contexts.textMap('rename'),
      invalidKeys: contexts.choice('invalid_keys', ['skip', 'replace']),
      labels: contexts.boolean('labels'),
    },
    importLabel: root.text('import_label'),
  };
  assertConsistent(mapping, file);
  return mapping;
}

function assertConsistent(
  { regions, cells, addresses, labels, variables, contexts, importLabel }: Mapping,
  file: string,
): void {
  const fail = (member: string, message: string): never => {
    throw usageError(`${file}: ${member}: ${message}`);
  };
  if (regions.from === 'site' && cells.from === 'site')
    fail('cells.from', 'sites are regions already: use location, rack or none.');
  if (addresses.missing !== undefined && isIP(addresses.missing) === 0)
    fail('addresses.missing', `${JSON.stringify(addresses.missing)} is not an IP address.`);
  for (const [member, name] of [
    ['regions.fallback', regions.fallback],
    ['import_label', importLabel],
  ] as const)
    if (name !== undefined && cleanName(name) !== name)
      fail(member, 'a name must not contain control characters, invisible characters or outer spaces.');
  for (const [kind, prefix] of labels.prefixes)
    if (/[,\p{Cc}]/u.test(prefix))
      fail(`labels.${kind}`, 'a label must not contain commas or control characters.');
  for (const [member, key] of [
    ...[...variables.members.keys()].map((one) => ['variables.members', one] as const),
    ...[...contexts.rename.values()].map((one) => ['config_contexts.rename', one] as const),
  ]) {
    const error = variableKeyError(key);
    if (error !== undefined) fail(member, `${error}.`);
  }
}

/** The members of a mapping file, or of one of its sections. */
class Section {
  constructor(
    private readonly file: string,
    /** With a point at the end: `regions.`. */
    private readonly path: string,
    private readonly given: ReadonlyMap<string, unknown>,
    private readonly defaults: ReadonlyMap<string, unknown>,
  ) {
    const known = [...defaults.keys()];
    const unknown = [...given.keys()].find((name) => !defaults.has(name));
    if (unknown === undefined) return;
    const closest = findClosest(unknown, known);
    const hint = closest === undefined ? `The members are ${known.join(', ')}.` : `Did you mean ${closest}?`;
    throw usageError(`${file}: unknown member ${path}${unknown}. ${hint}`);
  }

  section(name: string): Section {
    const given = this.given.get(name);
    const members = given === undefined || given === null ? new Map<string, unknown>() : toMembers(given);
    if (!members) throw this.error(name, 'an object');
    return new Section(
      this.file,
      `${this.path}${name}.`,
      members,
      toMembers(this.defaults.get(name)) ?? new Map<string, unknown>(),
    );
  }

  choice<T extends string>(name: string, choices: readonly T[]): T {
    const value = this.value(name);
    const chosen = choices.find((one) => one === value);
    if (chosen === undefined) throw this.error(name, `one of ${choices.join(', ')}`);
    return chosen;
  }

  boolean(name: string): boolean {
    const value = this.value(name);
    if (typeof value !== 'boolean') throw this.error(name, 'true or false');
    return value;
  }

  /** @param empty what null stands for; by default null is an error */
  text(name: string, empty?: string): string {
    const value = this.value(name);
    if (value === null && empty !== undefined) return empty;
    if (typeof value !== 'string' || (value === '' && empty === undefined)) throw this.error(name, 'a text');
    return value;
  }

  optionalText(name: string): string | undefined {
    return this.value(name) === null ? undefined : this.text(name);
  }

  texts(name: string): readonly string[] {
    const value = this.value(name);
    if (!isTexts(value)) throw this.error(name, 'a list of texts');
    return value;
  }

  textMap(name: string): ReadonlyMap<string, string> {
    const members = toMembers(this.value(name));
    const entries = [...(members ?? [])].flatMap(([key, value]): [string, string][] =>
      typeof value === 'string' && value !== '' ? [[key, value]] : [],
    );
    if (members?.size !== entries.length) throw this.error(name, 'an object whose values are texts');
    return new Map(entries);
  }

  private value(name: string): unknown {
    return this.given.has(name) ? this.given.get(name) : this.defaults.get(name);
  }

  private error(name: string, expected: string): CliError {
    const value = exactJson.stringify(this.given.get(name));
    return usageError(`${this.file}: ${this.path}${name}: expected ${expected}, not ${value}.`);
  }
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string' && one !== '');

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
