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
