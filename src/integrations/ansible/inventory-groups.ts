/** The kind of resource that a group represents. */
export type InventoryGroupKind = 'region' | 'cell' | 'label';

/** A group of hosts: those of one region, cell or label. */
export interface InventoryGroup {
  readonly kind: InventoryGroupKind;
  readonly id: number;
  /** The name of the resource. A cell has the names of the region and the cell. */
  readonly names: readonly string[];
}

/** Names with a special meaning in Ansible. */
const RESERVED_NAMES: ReadonlySet<string> = new Set(['all', 'ungrouped', '_meta']);

/** The unique key of a group. */
export const groupKey = (kind: InventoryGroupKind, id: number): string => `${kind} ${String(id)}`;

/** Joins names by `_`, and replaces the characters that are invalid in Ansible variable names. */
const sanitizedName = ({ names }: InventoryGroup): string =>
  names
    .join('_')
    .replace(/[^A-Za-z0-9_]/gu, '_')
    .replace(/^(?=[0-9])/, '_');

/** A candidate name. It is more specific at each level. */
function candidateName(group: InventoryGroup, level: number): string {
  const name = sanitizedName(group);
  if (level === 0) return name;
  if (level === 1) return `${name}_${group.kind}`;
  return `${name}_${group.kind}_${String(group.id)}${'_'.repeat(level - 2)}`;
}

/**
 * Assigns unique names to groups that Ansible accepts without a warning. If several groups have the same candidate
 * name, or a host has it, none of the groups gets it: each uses a more specific name with its kind, and then with its
 * id. So a new resource never makes a name refer to another group, and a playbook does not run on unintended hosts.
 * @param hostsNamed returns those of the given names that hosts have
 * @returns the names by group key
 */
export async function assignGroupNames(
  groups: readonly InventoryGroup[],
  hostsNamed: (names: readonly string[]) => Promise<Iterable<string>>,
): Promise<ReadonlyMap<string, string>> {
  const taken = new Set<string>(RESERVED_NAMES);
  const checked = new Set<string>();
  const levels = new Map(groups.map((group) => [group, 0]));
  for (;;) {
    const candidates = [...levels].map(([group, level]) => ({
      group,
      level,
      name: candidateName(group, level),
    }));
    const counts = new Map<string, number>();
    for (const { name } of candidates) counts.set(name, (counts.get(name) ?? 0) + 1);
    const unchecked = [...counts.keys()].filter((name) => !checked.has(name));
    if (unchecked.length > 0) for (const name of await hostsNamed(unchecked)) taken.add(name);
    for (const name of unchecked) checked.add(name);
    const ambiguous = candidates.filter(({ name }) => taken.has(name) || (counts.get(name) ?? 0) > 1);
    if (ambiguous.length === 0)
      return new Map(candidates.map(({ group, name }) => [groupKey(group.kind, group.id), name]));
    for (const { group, level, name } of ambiguous) {
      // No third group may get the name either.
      taken.add(name);
      levels.set(group, level + 1);
    }
  }
}

/** A host with its region and cell. */
export interface RegionMember {
  readonly [column: string]: unknown;
  readonly name: string;
  readonly region_id: number;
  readonly cell_id: number | null;
}

/** A host with one of its labels. */
export interface LabelMember {
  readonly [column: string]: unknown;
  readonly name: string;
  readonly label_id: number;
}

type Names = ReadonlyMap<string, string>;

/** The name of a group as JSON text. */
function groupName(names: Names, kind: InventoryGroupKind, id: number): string {
  const name = names.get(groupKey(kind, id));
  if (name === undefined) throw new Error(`a host is in an unknown ${kind}`);
  return JSON.stringify(name);
}

/**
 * Renders the groups of regions and cells as members of a JSON object, each after a comma. Hosts must be added by
 * region, those in cells first. The group of a region follows its cells, which are its children.
 */
export class RegionGroupRenderer {
  /** The names of the rendered region groups, as JSON texts. */
  readonly renderedNames: string[] = [];
  private region: number | undefined;
  /** The open group; null is the group of the region itself, undefined means that no group is open. */
  private cell: number | null | undefined;
  private children: string[] = [];

  constructor(private readonly names: Names) {}

  /** Adds a host. @returns the text to write */
  add({ name, region_id: region, cell_id: cell }: RegionMember): string {
    let text = '';
    if (region !== this.region) {
      text += this.end();
      this.region = region;
      this.renderedNames.push(groupName(this.names, 'region', region));
    }
    if (cell === this.cell) text += ',';
    else {
      text += this.closeGroup() + this.openGroup(region, cell);
      this.cell = cell;
    }
    return text + JSON.stringify(name);
  }

  /** Closes the last region. @returns the text to write */
  end(): string {
    const { region, cell } = this;
    if (region === undefined) return '';
    let text = this.closeGroup();
    if (cell !== null) text += `,${groupName(this.names, 'region', region)}:{${this.childrenText()}}`;
    this.cell = undefined;
    this.children = [];
    return text;
  }

  private openGroup(region: number, cell: number | null): string {
    if (cell === null) {
      const children = this.children.length === 0 ? '' : `${this.childrenText()},`;
      return `,${groupName(this.names, 'region', region)}:{${children}"hosts":[`;
    }
    const name = groupName(this.names, 'cell', cell);
    this.children.push(name);
    return `,${name}:{"hosts":[`;
  }

  private closeGroup(): string {
    return this.cell === undefined ? '' : ']}';
  }

  private childrenText(): string {
    return `"children":[${this.children.join(',')}]`;
  }
}

/** Renders the groups of labels in the same way. Hosts must be added by label. */
export class LabelGroupRenderer {
  /** The names of the rendered label groups, as JSON texts. */
  readonly renderedNames: string[] = [];
  private label: number | undefined;

  constructor(private readonly names: Names) {}

  /** Adds a host. @returns the text to write */
  add({ name, label_id: label }: LabelMember): string {
    if (label === this.label) return `,${JSON.stringify(name)}`;
    const end = this.end();
    this.label = label;
    const group = groupName(this.names, 'label', label);
    this.renderedNames.push(group);
    return `${end},${group}:{"hosts":[${JSON.stringify(name)}`;
  }

  /** Closes the last label. @returns the text to write */
  end(): string {
    return this.label === undefined ? '' : ']}';
  }
}
