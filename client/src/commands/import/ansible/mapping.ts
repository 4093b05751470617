import { toMembers } from '../../../api/exact-json';
import { usageError } from '../../../cli-error';
import { globToRegExp, pluralize } from '../../../text';
import type { AnsibleInventory, Group } from './inventory';
import type { AnsibleOptions } from './ansible-options';
import { readTextFile } from '../../../files/file-access';
import { readMappingSections } from '../mapping-file';
import type { KeyMapping } from '../variable-keys';

/** The cell of a group. */
interface CellMapping {
  /** By default the region of its hosts. */
  readonly region: string | undefined;
  readonly name: string;
}

/** How groups are mapped to regions, cells and labels, and defaults for hosts. */
export interface Mapping {
  /** The names of regions, by group. */
  readonly regions: ReadonlyMap<string, string>;
  readonly cells: ReadonlyMap<string, CellMapping>;
  /** The names of labels, by group. */
  readonly labels: ReadonlyMap<string, string>;
  /** The region of hosts without a region group. */
  readonly region: string | undefined;
  readonly deviceType: string;
  /** The variables with the IP address of a host; the first that has one applies. */
  readonly addressVariables: readonly string[];
  /** Whether the mapping file names these variables, and says nothing about hosts without an address. */
  readonly requiresAddresses: boolean;
  readonly addresses: {
    /** Whether the names of hosts without an address are looked up. */
    readonly resolve: boolean;
    /** The address of hosts without one; undefined skips them. */
    readonly missing: string | undefined;
  };
  readonly keys: KeyMapping;
}

/** The members that do not depend on the inventory, with their defaults. */
const SETTINGS = `device_type: server

# Variables with the IP address; the first that has one applies, else the name of the host.
ip_address: [ansible_host, ansible_ssh_host]
addresses:
  resolve: false # true: look up the names of hosts without an address
  missing: 0.0.0.0 # the address of hosts without one, because Muster requires it; null: skip them

variables:
  rename: {} # keys under other names: { net.ipv4.ip_forward: ip_forward }
  invalid_keys: skip # keys that Muster does not accept: skip, or replace for _ instead of their invalid characters
`;

const DEFAULTS = `regions: {}
cells: {}
labels: {}
region: null
${SETTINGS}`;

/** Whether the command line contains a mapping. */
export const hasMapping = ({
  mapping,
  regionGroups,
  cellGroups,
  labelGroups,
  region,
}: AnsibleOptions): boolean =>
  [mapping, regionGroups, cellGroups, labelGroups, region].some((one) => one !== undefined);

/** Reads the mapping from the mapping file and options. The file overrides patterns. @throws CliError */
export async function readMapping(options: AnsibleOptions, inventory: AnsibleInventory): Promise<Mapping> {
  const file = options.mapping;
  const name = file ?? 'mapping';
  const text = file === undefined ? '{}' : await readTextFile(file);
  const root = await readMappingSections(text, name, DEFAULTS, options.yaml);
  const addresses = root.section('addresses');
  const groupMapping = new GroupMapping(inventory, name);
  const regions = groupMapping.readMember('regions', root.value('regions'), (value, group) =>
    parseName(value, group, file),
  );
  const cells = groupMapping.readMember('cells', root.value('cells'), (value, group) =>
    parseCell(value, group, file),
  );
  const labels = groupMapping.readMember('labels', root.value('labels'), (value, group) =>
    parseName(value, group, file),
  );
  groupMapping.addMatching('regions', options.regionGroups, (group) => regions.set(group, group));
  groupMapping.addMatching('cells', options.cellGroups, (group) =>
    cells.set(group, { region: undefined, name: group }),
  );
  groupMapping.addMatching('labels', options.labelGroups, (group) => labels.set(group, group));
  return {
    regions,
    cells,
    labels,
    region: options.region ?? root.optionalText('region'),
    deviceType: options.deviceType ?? root.optionalText('device_type') ?? 'server',
    addressVariables:
      typeof root.value('ip_address') === 'string' ? [root.text('ip_address')] : root.texts('ip_address'),
    requiresAddresses: root.has('ip_address') && !addresses.has('missing'),
    addresses: {
      resolve: addresses.boolean('resolve'),
      missing: addresses.optionalAddress('missing'),
    },
    keys: root.section('variables').keyMapping(),
  };
}

/** Collects the mapped groups, and checks that each is mapped once. */
class GroupMapping {
  /** The member that each group is mapped in. */
  private readonly members = new Map<string, string>();
  private readonly fileGroups = new Set<string>();

  constructor(
    private readonly inventory: AnsibleInventory,
    private readonly file: string,
  ) {}

  readMember<T>(member: string, value: unknown, read: (value: unknown, group: string) => T): Map<string, T> {
    const found = new Map<string, T>();
    if (value === undefined || value === null) return found;
    const groups = toMembers(value);
    if (!groups) throw usageError(`${this.file}: ${member} must be an object with groups as keys.`);
    for (const [group, target] of groups) {
      if (!this.inventory.groups.has(group))
        throw usageError(`${this.file}: ${member}: the inventory has no group ${JSON.stringify(group)}.`);
      this.claim(group, member);
      this.fileGroups.add(group);
      found.set(group, read(target, group));
    }
    return found;
  }

  addMatching(member: string, patterns: readonly string[] = [], add: (group: string) => void): void {
    for (const pattern of patterns) {
      const matches = [...this.inventory.groups.keys()].filter((group) => globToRegExp(pattern).test(group));
      if (matches.length === 0)
        throw usageError(`No group of the inventory matches ${JSON.stringify(pattern)}.`);
      for (const group of matches) {
        if (this.fileGroups.has(group)) continue;
        this.claim(group, member);
        add(group);
      }
    }
  }

  private claim(group: string, member: string): void {
    const existing = this.members.get(group) ?? member;
    if (existing !== member)
      throw usageError(`The group ${group} is mapped to both ${existing} and ${member}.`);
    this.members.set(group, member);
  }
}

/** The name of a region, cell or label; by default the name of the group. */
function parseName(value: unknown, group: string, file = ''): string {
  if (value === null) return group;
  if (typeof value === 'string' && value !== '') return value;
  throw usageError(`${file}: ${group}: expected a name.`);
}

function parseCell(value: unknown, group: string, file = ''): CellMapping {
  const members = toMembers(value);
  if (!members) return { region: undefined, name: parseName(value, group, file) };
  const unknown = [...members.keys()].find((name) => name !== 'region' && name !== 'name');
  if (unknown !== undefined)
    throw usageError(`${file}: ${group}: unknown member ${unknown}. A cell has region and name.`);
  const name = parseName(members.get('name') ?? null, group, file);
  const region = members.get('region');
  return { region: region === undefined ? undefined : parseName(region, group, file), name };
}

type Kind = 'regions' | 'cells' | 'labels';

const REGION_NAMES = /^(?:dc|datacent(?:er|re)|region|site|location|loc|az)(?:[_-]|\d|$)/i;
const CELL_NAMES = /^(?:rack|cell|cage|row|room|pod|zone)(?:[_-]|\d|$)/i;
const BUILT_IN_GROUPS = new Set(['all', 'ungrouped']);

/** Proposes a mapping file, based on the names of groups, or else on their hierarchy. */
export function proposeMapping(inventory: AnsibleInventory): string {
  const groups = [...inventory.groups.values()].filter(({ name }) => !BUILT_IN_GROUPS.has(name));
  const kinds = new Map(groups.map((group) => [group.name, kindByName(group)]));
  if (![...kinds.values()].includes('regions'))
    for (const name of disjointTopLevelGroups(groups, inventory)) kinds.set(name, 'regions');
  const counts = new Map<Group, number>();
  for (const host of inventory.hosts.keys())
    for (const group of inventory.groupsOf(host)) counts.set(group, (counts.get(group) ?? 0) + 1);
  const sections = (['regions', 'cells', 'labels'] as const).map((kind) => {
    const groupsOfKind = groups.filter(({ name }) => (kinds.get(name) ?? 'labels') === kind);
    const lines = groupsOfKind.map(
      (group) =>
        `  ${yamlString(group.name)}: ${yamlString(group.name)} # ${groupComment(group, counts.get(group) ?? 0)}\n`,
    );
    return lines.length === 0 ? `${kind}: {}\n` : `${kind}:\n${lines.join('')}`;
  });
  return [
    '# Mapping of Ansible groups (group: name). A cell is in the region of its hosts, unless it has a region:\n',
    '# rack_a: { region: north, name: a }. Remove groups that should not be mapped.\n',
    ...sections,
    '# The region of hosts without a region group.\n# region: north\n',
    SETTINGS,
  ].join('');
}

function kindByName({ name }: Group): Kind | undefined {
  if (REGION_NAMES.test(name)) return 'regions';
  return CELL_NAMES.test(name) ? 'cells' : undefined;
}

/** Top-level groups with children, if no host is in two of them. */
function disjointTopLevelGroups(groups: readonly Group[], inventory: AnsibleInventory): string[] {
  const topGroups = groups
    .filter(({ depth, children }) => depth === 1 && children.size > 0)
    .map(({ name }) => name);
  const isDisjoint = [...inventory.hosts.keys()].every(
    (host) => inventory.groupsOf(host).filter(({ name }) => topGroups.includes(name)).length < 2,
  );
  return isDisjoint ? topGroups : [];
}

function groupComment(group: Group, hosts: number): string {
  const texts = [
    pluralize(hosts, 'host'),
    ...(group.variables.size === 0 ? [] : [pluralize(group.variables.size, 'variable')]),
    ...(group.children.size === 0 ? [] : [`contains ${[...group.children].join(', ')}`]),
  ];
  return texts.join(', ');
}

/** A name as a YAML string, with quotes if it could be read as another type. */
const yamlString = (name: string): string =>
  /^[A-Za-z_][\w.-]*$/.test(name) && !/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(name)
    ? name
    : JSON.stringify(name);
