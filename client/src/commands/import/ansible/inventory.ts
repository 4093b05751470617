import { usage } from '../../../cli-error';
import { BEGINNING, titleOf } from '../../../files/file-access';
import { brokenJson } from '../../../files/json-items';
import { exactJson, isLosslessNumber } from '../../../api/exact-json';

export type Variables = ReadonlyMap<string, unknown>;

/** A group of Ansible's. */
export interface Group {
  readonly name: string;
  readonly hosts: ReadonlySet<string>;
  readonly children: ReadonlySet<string>;
  readonly variables: Variables;
  /** `ansible_group_priority`: among groups of one depth the higher wins. */
  readonly priority: number;
  /** How far below `all`, by the longest way. */
  depth: number;
}

/** Where a value comes from that a host resolves: a group, or the host itself. */
interface Resolved {
  readonly value: unknown;
  readonly group: Group | undefined;
}

const ALL = 'all';
const PRIORITY = 'ansible_group_priority';

/** What `ansible-inventory --list --export` prints. */
export class Inventory {
  readonly groups = new Map<string, Group>();
  /** Every host, with the variables that are its own. */
  readonly hosts = new Map<string, Variables>();
  private readonly groupsOfHosts = new Map<string, Group[]>();

  /** @param file where it comes from, for what is said of it @throws Failure for what is something else */
  static parse(text: string, file: string): Inventory {
    let body: unknown;
    try {
      body = exactJson.parse(text);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      throw brokenJson(text, error, titleOf(file), BEGINNING);
    }
    return new Inventory(body, titleOf(file));
  }

  private constructor(body: unknown, title: string) {
    const groups = membersOf(body);
    const hostvars = membersOf(groups?.get('_meta'))?.get('hostvars');
    if (!groups || hostvars === undefined || !groups.has(ALL))
      throw usage(
        `${title} is not what "ansible-inventory --list --export" prints: it has no _meta and no group all.`,
      );
    for (const [name, group] of groups) if (name !== '_meta') this.groups.set(name, groupOf(name, group));
    for (const [name, variables] of membersOf(hostvars) ?? [])
      this.hosts.set(name, membersOf(variables) ?? new Map());
    for (const { hosts } of this.groups.values())
      for (const host of hosts) if (!this.hosts.has(host)) this.hosts.set(host, new Map());
    this.measure();
    this.enrol();
  }

  /** The groups that a host is in, directly or not, in the order in which Ansible lays their variables over each other. */
  groupsOf(host: string): readonly Group[] {
    return this.groupsOfHosts.get(host) ?? [];
  }

  /** What Ansible resolves for a host: groups by depth, priority and name, and then the host itself. */
  resolve(host: string): Map<string, Resolved> {
    const resolved = new Map<string, Resolved>();
    for (const group of this.groupsOf(host))
      for (const [key, value] of group.variables) resolved.set(key, { value, group });
    for (const [key, value] of this.hosts.get(host) ?? []) resolved.set(key, { value, group: undefined });
    return resolved;
  }

  /** Whether it is the group that everything is in. */
  isAll({ name }: Group): boolean {
    return name === ALL;
  }

  /** Whether a group has another below it, at whatever depth. */
  isAbove(group: Group, other: Group): boolean {
    return [...group.children].some((name) => {
      const child = this.groups.get(name);
      return name === other.name || (child !== undefined && this.isAbove(child, other));
    });
  }

  private measure(): void {
    const parents = new Map<string, string[]>();
    for (const { name, children } of this.groups.values())
      for (const child of children) parents.set(child, [...(parents.get(child) ?? []), name]);
    const depths = new Map<string, number>([[ALL, 0]]);
    const depthOf = (name: string, below: readonly string[]): number => {
      const known = depths.get(name);
      if (known !== undefined) return known;
      if (below.includes(name)) throw usage(`The group ${name} is below itself.`);
      const above = (parents.get(name) ?? [ALL]).map((parent) => depthOf(parent, [...below, name]));
      const depth = 1 + Math.max(...above);
      depths.set(name, depth);
      return depth;
    };
    for (const group of this.groups.values()) group.depth = depthOf(group.name, []);
  }

  private enrol(): void {
    const ordered = [...this.groups.values()].sort(inOrder);
    const members = new Map<string, ReadonlySet<string>>();
    const membersBelow = (name: string): ReadonlySet<string> => {
      const known = members.get(name);
      if (known) return known;
      const group = this.groups.get(name);
      const found = new Set(group?.hosts);
      for (const child of group?.children ?? []) for (const host of membersBelow(child)) found.add(host);
      members.set(name, found);
      return found;
    };
    for (const host of this.hosts.keys()) this.groupsOfHosts.set(host, []);
    for (const group of ordered)
      // Everything is in it, whether it says so or not.
      for (const host of group.name === ALL ? this.hosts.keys() : membersBelow(group.name))
        this.groupsOfHosts.get(host)?.push(group);
  }
}

/** The order in which Ansible lays the variables of groups over each other: the last wins. */
export function inOrder(a: Group, b: Group): number {
  return a.depth - b.depth || a.priority - b.priority || byCodePoint(a.name, b.name);
}

/** Python compares texts by code points, and so does the service; JavaScript by halves of them. */
export const byCodePoint = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

function groupOf(name: string, body: unknown): Group {
  const members = membersOf(body) ?? new Map<string, unknown>();
  const variables = new Map(membersOf(members.get('vars')) ?? []);
  const priority = Number(exactJson.stringify(variables.get(PRIORITY) ?? 1));
  variables.delete(PRIORITY);
  return {
    name,
    hosts: new Set(textsOf(members.get('hosts'))),
    children: new Set(textsOf(members.get('children'))),
    variables,
    priority: Number.isFinite(priority) ? priority : 1,
    depth: 0,
  };
}

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** The members of a JSON object; undefined for anything else. */
export const membersOf = (value: unknown): Map<string, unknown> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value)
    ? new Map(Object.entries(value))
    : undefined;
