import { exactJson, toMembers } from '../../../api/exact-json';
import { CliError, EXIT, usageError } from '../../../cli-error';
import { compareCodePoints } from '../../../text';
import { displayFileName, START, STDIO } from '../../../files/file-access';
import { jsonSyntaxError } from '../../../files/json-items';
import { MarkedTexts } from './marked-texts';

export type Variables = ReadonlyMap<string, unknown>;

/** An Ansible group. */
export interface Group {
  readonly name: string;
  readonly hosts: ReadonlySet<string>;
  readonly children: ReadonlySet<string>;
  variables: Variables;
  /** `ansible_group_priority`: among groups of the same depth, the higher priority overrides the lower one. */
  readonly priority: number;
  /** The length of the longest path from `all`. */
  depth: number;
}

/** A resolved value, and its group; undefined if it is set on the host itself. */
interface ResolvedValue {
  readonly value: unknown;
  readonly group: Group | undefined;
}

const ALL = 'all';
const PRIORITY = 'ansible_group_priority';

/** The output of `ansible-inventory --list --export`. */
export class AnsibleInventory {
  readonly groups = new Map<string, Group>();
  /** All hosts, with their own variables. */
  readonly hosts = new Map<string, Variables>();
  /** The marked texts of the inventory. */
  readonly markedTexts = new MarkedTexts(toMembers);
  private readonly groupsOfHosts = new Map<string, Group[]>();

  /** @param file the name of the file, for messages @throws CliError for any other content */
  static parse(text: string, file: string): AnsibleInventory {
    let body: unknown;
    try {
      body = exactJson.parse(text);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      if (/^\s*\{/.test(text)) throw jsonSyntaxError(text, error, displayFileName(file), START);
      throw notJsonError(file);
    }
    return new AnsibleInventory(body, displayFileName(file));
  }

  private constructor(body: unknown, fileName: string) {
    const groups = toMembers(this.markedTexts.unwrap(body));
    const hostvars = toMembers(groups?.get('_meta'))?.get('hostvars');
    if (!groups || hostvars === undefined || !groups.has(ALL))
      throw usageError(
        `${fileName} is not the output of "ansible-inventory --list --export": _meta or the group all is missing.`,
      );
    for (const [name, group] of groups) if (name !== '_meta') this.groups.set(name, parseGroup(name, group));
    for (const [name, variables] of toMembers(hostvars) ?? [])
      this.hosts.set(name, toMembers(variables) ?? new Map());
    for (const { hosts } of this.groups.values())
      for (const host of hosts) if (!this.hosts.has(host)) this.hosts.set(host, new Map());
    this.computeDepths();
    this.collectGroupsOfHosts();
  }

  /** All groups of a host, in ascending precedence. */
  groupsOf(host: string): readonly Group[] {
    return this.groupsOfHosts.get(host) ?? [];
  }

  /** Resolves the variables of a host as Ansible does: groups by depth, priority and name, then the host itself. */
  resolve(host: string): Map<string, ResolvedValue> {
    const resolved = new Map<string, ResolvedValue>();
    for (const group of this.groupsOf(host))
      for (const [key, value] of group.variables) resolved.set(key, { value, group });
    for (const [key, value] of this.hosts.get(host) ?? []) resolved.set(key, { value, group: undefined });
    return resolved;
  }

  /** The keys of all variables. */
  keys(): Set<string> {
    const all = [...this.hosts.values(), ...[...this.groups.values()].map(({ variables }) => variables)];
    return new Set(all.flatMap((variables) => [...variables.keys()]));
  }

  /** Gives variables other keys, and removes those that have none. @param keys by the present keys */
  renameKeys(keys: ReadonlyMap<string, string>): void {
    const rename = (variables: Variables): Variables =>
      new Map(
        [...variables].flatMap(([key, value]): [string, unknown][] => {
          const renamed = keys.get(key);
          return renamed === undefined ? [] : [[renamed, value]];
        }),
      );
    for (const [host, variables] of this.hosts) this.hosts.set(host, rename(variables));
    for (const group of this.groups.values()) group.variables = rename(group.variables);
  }

  /** Whether it is the group of all hosts. */
  isAll({ name }: Group): boolean {
    return name === ALL;
  }

  /** Whether a group is an ancestor of another. */
  isAbove(group: Group, other: Group): boolean {
    return [...group.children].some((name) => {
      const child = this.groups.get(name);
      return name === other.name || (child !== undefined && this.isAbove(child, other));
    });
  }

  private computeDepths(): void {
    const parents = new Map<string, string[]>();
    for (const { name, children } of this.groups.values())
      for (const child of children) parents.set(child, [...(parents.get(child) ?? []), name]);
    const depths = new Map<string, number>([[ALL, 0]]);
    const depthOf = (name: string, descendants: readonly string[]): number => {
      const cached = depths.get(name);
      if (cached !== undefined) return cached;
      if (descendants.includes(name)) throw usageError(`The group ${name} is its own descendant.`);
      const parentDepths = (parents.get(name) ?? [ALL]).map((parent) =>
        depthOf(parent, [...descendants, name]),
      );
      const depth = 1 + Math.max(...parentDepths);
      depths.set(name, depth);
      return depth;
    };
    for (const group of this.groups.values()) group.depth = depthOf(group.name, []);
  }

  private collectGroupsOfHosts(): void {
    const conflicting = [...this.groups.values()].sort(compareGroups);
    const members = new Map<string, ReadonlySet<string>>();
    const membersBelow = (name: string): ReadonlySet<string> => {
      const cached = members.get(name);
      if (cached) return cached;
      const group = this.groups.get(name);
      const found = new Set(group?.hosts);
      for (const child of group?.children ?? []) for (const host of membersBelow(child)) found.add(host);
      members.set(name, found);
      return found;
    };
    for (const host of this.hosts.keys()) this.groupsOfHosts.set(host, []);
    for (const group of conflicting)
      // `all` contains every host, listed or not.
      for (const host of group.name === ALL ? this.hosts.keys() : membersBelow(group.name))
        this.groupsOfHosts.get(host)?.push(group);
  }
}

/** The error for an inventory as Ansible reads it: in INI, YAML, or a program that prints it. */
function notJsonError(file: string): CliError {
  const inventory = file === STDIO ? 'INVENTORY' : file;
  return new CliError(
    `${displayFileName(file)} is not JSON: --from ansible reads the output of ansible-inventory.`,
    EXIT.usageError,
    [
      '  Convert the inventory, with its group_vars and host_vars, and import the result:',
      `  ansible-inventory -i ${inventory} --list --export > inventory.json`,
      '  muster import --from ansible inventory.json',
    ],
  );
}

/** Compares groups by ascending precedence. */
export function compareGroups(a: Group, b: Group): number {
  return a.depth - b.depth || a.priority - b.priority || compareCodePoints(a.name, b.name);
}

function parseGroup(name: string, body: unknown): Group {
  const members = toMembers(body) ?? new Map<string, unknown>();
  const variables = new Map(toMembers(members.get('vars')) ?? []);
  const priority = Number(exactJson.stringify(variables.get(PRIORITY) ?? 1));
  variables.delete(PRIORITY);
  return {
    name,
    hosts: new Set(toTexts(members.get('hosts'))),
    children: new Set(toTexts(members.get('children'))),
    variables,
    priority: Number.isFinite(priority) ? priority : 1,
    depth: 0,
  };
}

const toTexts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
