import { usage } from '../../../failures';
import { readText } from '../../../files/file-access';
import { readYaml } from '../../../files/yaml-documents';
import type { AnsibleOptions } from '../ansible-options';
import { membersOf, type Inventory } from './inventory';

/** A cell that a group becomes. */
export interface CellMapping {
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
