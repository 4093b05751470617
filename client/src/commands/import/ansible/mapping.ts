import { usage } from '../../../cli-error';
import { readText } from '../../../files/file-access';
import { readYaml } from '../../../files/yaml-items';
import type { AnsibleOptions } from '../import';
import { type Group, type Inventory, membersOf } from './inventory';
import { counted } from '../../../output/console';

/** A cell that a group becomes. */
interface CellMapping {
  /** Without it, it is a cell of the region that its hosts are in. */
  readonly region: string | undefined;
  readonly name: string;
}

/** What groups become, and what nothing in the inventory says. */
export interface Mapping {
  /** The names of regions, by groups. */
  readonly regions: ReadonlyMap<string, string>;
  readonly cells: ReadonlyMap<string, CellMapping>;
  /** The names of labels, by groups. */
  readonly labels: ReadonlyMap<string, string>;
  /** The region of hosts that no group puts into one. */
  readonly region: string | undefined;
  readonly deviceType: string;
  /** The variable that has the address of a host. */
  readonly address: string;
}

const MEMBERS = ['regions', 'cells', 'labels', 'region', 'device_type', 'ip_address'];

/** Whether the command line says anything of what groups become. */
export const hasMapping = ({
  mapping,
  regionGroups,
  cellGroups,
  labelGroups,
  region,
}: AnsibleOptions): boolean =>
  [mapping, regionGroups, cellGroups, labelGroups, region].some((one) => one !== undefined);

/** What the command line and its mapping file say. The file goes before patterns. @throws Failure */
export async function readMapping(options: AnsibleOptions, inventory: Inventory): Promise<Mapping> {
  const file = options.mapping;
  const members = file === undefined ? new Map<string, unknown>() : await membersOfFile(file);
  const told = new Told(inventory, file ?? '--mapping');
  const regions = told.named('regions', members.get('regions'), (value, group) => textOf(value, group, file));
  const cells = told.named('cells', members.get('cells'), (value, group) => cellOf(value, group, file));
  const labels = told.named('labels', members.get('labels'), (value, group) => textOf(value, group, file));
  told.matching('regions', options.regionGroups, (group) => regions.set(group, group));
  told.matching('cells', options.cellGroups, (group) => cells.set(group, { region: undefined, name: group }));
  told.matching('labels', options.labelGroups, (group) => labels.set(group, group));
  return {
    regions,
    cells,
    labels,
    region: options.region ?? optionalText(members, 'region', file),
    deviceType: options.deviceType ?? optionalText(members, 'device_type', file) ?? 'server',
    address: optionalText(members, 'ip_address', file) ?? 'ansible_host',
  };
}

async function membersOfFile(file: string): Promise<Map<string, unknown>> {
  const members = membersOf(await readYaml(await readText(file), file));
  if (!members) throw usage(`${file} is no mapping: it has ${MEMBERS.join(', ')}.`);
  const unknown = [...members.keys()].find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) throw usage(`${file}: there is no ${unknown}; there are ${MEMBERS.join(', ')}.`);
  return members;
}

/** What groups become, each once. */
class Told {
  private readonly becomes = new Map<string, string>();
  private readonly byFile = new Set<string>();

  constructor(
    private readonly inventory: Inventory,
    private readonly file: string,
  ) {}

  named<T>(member: string, value: unknown, read: (value: unknown, group: string) => T): Map<string, T> {
    const found = new Map<string, T>();
    if (value === undefined || value === null) return found;
    const groups = membersOf(value);
    if (!groups) throw usage(`${this.file}: ${member} has groups and what they become.`);
    for (const [group, as] of groups) {
      if (!this.inventory.groups.has(group))
        throw usage(`${this.file}: ${member}: the inventory has no group ${JSON.stringify(group)}.`);
      this.claim(group, member);
      this.byFile.add(group);
      found.set(group, read(as, group));
    }
    return found;
  }

  matching(member: string, patterns: readonly string[] = [], take: (group: string) => void): void {
    for (const pattern of patterns) {
      const matched = [...this.inventory.groups.keys()].filter((group) => regexOf(pattern).test(group));
      if (matched.length === 0) throw usage(`No group of the inventory is like ${JSON.stringify(pattern)}.`);
      for (const group of matched) {
        if (this.byFile.has(group)) continue;
        this.claim(group, member);
        take(group);
      }
    }
  }

  private claim(group: string, member: string): void {
    const before = this.becomes.get(group) ?? member;
    if (before !== member) throw usage(`The group ${group} cannot be among ${before} and among ${member}.`);
    this.becomes.set(group, member);
  }
}

const regexOf = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .trim()
      .replaceAll(/[\\^$.+()[\]{}|]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
    's',
  );

/** Without a name of its own it is called as the group is. */
function textOf(value: unknown, group: string, file = ''): string {
  if (value === null) return group;
  if (typeof value === 'string' && value !== '') return value;
  throw usage(`${file}: ${group}: a name is expected.`);
}

function cellOf(value: unknown, group: string, file = ''): CellMapping {
  const members = membersOf(value);
  if (!members) return { region: undefined, name: textOf(value, group, file) };
  const unknown = [...members.keys()].find((name) => name !== 'region' && name !== 'name');
  if (unknown !== undefined) throw usage(`${file}: ${group}: a cell has region and name, and no ${unknown}.`);
  const name = textOf(members.get('name') ?? null, group, file);
  const region = members.get('region');
  return { region: region === undefined ? undefined : textOf(region, group, file), name };
}

function optionalText(members: ReadonlyMap<string, unknown>, name: string, file = ''): string | undefined {
  const value = members.get(name);
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' && value !== '') return value;
  throw usage(`${file}: ${name}: a text is expected.`);
}

type Kind = 'regions' | 'cells' | 'labels';

const REGION_NAMES = /^(?:dc|datacent(?:er|re)|region|site|location|loc|az)(?:[_-]|\d|$)/i;
const CELL_NAMES = /^(?:rack|cell|cage|row|room|pod|zone)(?:[_-]|\d|$)/i;
/** They have everything, or what is in nothing else. */
const WITHOUT = new Set(['all', 'ungrouped']);

/** What the groups of an inventory might become, as a mapping file: by their names, and else by what they have below. */
export function proposalOf(inventory: Inventory): string {
  const groups = [...inventory.groups.values()].filter(({ name }) => !WITHOUT.has(name));
  const kinds = new Map(groups.map((group) => [group.name, kindByName(group)]));
  if (![...kinds.values()].includes('regions'))
    for (const name of disjointTops(groups, inventory)) kinds.set(name, 'regions');
  const counts = new Map<Group, number>();
  for (const host of inventory.hosts.keys())
    for (const group of inventory.groupsOf(host)) counts.set(group, (counts.get(group) ?? 0) + 1);
  const sections = (['regions', 'cells', 'labels'] as const).map((kind) => {
    const of = groups.filter(({ name }) => (kinds.get(name) ?? 'labels') === kind);
    const lines = of.map(
      (group) => `  ${quoted(group.name)}: ${quoted(group.name)} # ${about(group, counts.get(group) ?? 0)}\n`,
    );
    return lines.length === 0 ? `${kind}: {}\n` : `${kind}:\n${lines.join('')}`;
  });
  return [
    '# What Ansible groups become: group: name. A cell is one of the region that its hosts are in,\n',
    '# unless it is told: rack_a: { region: north, name: a }. Take out what is to become nothing.\n',
    ...sections,
    '# The region of hosts that no group puts into one.\n# region: north\n',
    'device_type: server\n',
    '# The variable that has the address.\nip_address: ansible_host\n',
  ].join('');
}

function kindByName({ name }: Group): Kind | undefined {
  if (REGION_NAMES.test(name)) return 'regions';
  return CELL_NAMES.test(name) ? 'cells' : undefined;
}

/** Groups at the top that have groups below them, if no host is in two of them. */
function disjointTops(groups: readonly Group[], inventory: Inventory): string[] {
  const tops = groups
    .filter(({ depth, children }) => depth === 1 && children.size > 0)
    .map(({ name }) => name);
  const isDisjoint = [...inventory.hosts.keys()].every(
    (host) => inventory.groupsOf(host).filter(({ name }) => tops.includes(name)).length < 2,
  );
  return isDisjoint ? tops : [];
}

function about(group: Group, hosts: number): string {
  const texts = [
    counted(hosts, 'host'),
    ...(group.variables.size === 0 ? [] : [counted(group.variables.size, 'variable')]),
    ...(group.children.size === 0 ? [] : [`above ${[...group.children].join(', ')}`]),
  ];
  return texts.join(', ');
}

/** A group's name as YAML: quoted wherever it could be taken for something else. */
const quoted = (name: string): string =>
  /^[A-Za-z_][\w.-]*$/.test(name) && !/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(name)
    ? name
    : JSON.stringify(name);
