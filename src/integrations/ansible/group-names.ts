/** What hosts are grouped by. */
export type GroupKind = 'region' | 'cell' | 'label';

/** Something that hosts are grouped by. */
export interface Group {
  readonly kind: GroupKind;
  readonly id: number;
  /** What it is called: of a cell, the region and the cell. */
  readonly names: readonly string[];
}

/** What Ansible means something else by. */
const RESERVED: ReadonlySet<string> = new Set(['all', 'ungrouped', '_meta']);

/** How a group is told from others: by its kind and id. */
export const groupKey = (kind: GroupKind, id: number): string => `${kind} ${String(id)}`;

/** Each name with what Ansible's variables may not have replaced, joined by `_`. */
const plainName = ({ names }: Group): string =>
  names
    .join('_')
    .replace(/[^A-Za-z0-9_]/gu, '_')
    .replace(/^(?=[0-9])/, '_');

/** A name that says more with each step. */
function nameAt(group: Group, step: number): string {
  const plain = plainName(group);
  if (step === 0) return plain;
  if (step === 1) return `${plain}_${group.kind}`;
  return `${plain}_${group.kind}_${String(group.id)}${'_'.repeat(step - 2)}`;
}

/**
 * Names groups so that Ansible takes them without a warning, and no two have the same. A name that could mean two things
 * means neither: all that would have it say their kind as well, and if that is not enough, their id. So the name of one
 * never comes to mean another because something was added, and a playbook does not run where it was not meant to.
 * @param hostsNamed which of some names are those of hosts
 * @returns the names by the keys of the groups
 */
export async function nameGroups(
  groups: readonly Group[],
  hostsNamed: (names: readonly string[]) => Promise<Iterable<string>>,
): Promise<ReadonlyMap<string, string>> {
  const taken = new Set<string>(RESERVED);
  const asked = new Set<string>();
  const steps = new Map(groups.map((group) => [group, 0]));
  for (;;) {
    const named = [...steps].map(([group, step]) => ({ group, step, name: nameAt(group, step) }));
    const bearers = new Map<string, number>();
    for (const { name } of named) bearers.set(name, (bearers.get(name) ?? 0) + 1);
    const unknown = [...bearers.keys()].filter((name) => !asked.has(name));
    if (unknown.length > 0) for (const name of await hostsNamed(unknown)) taken.add(name);
    for (const name of unknown) asked.add(name);
    const ambiguous = named.filter(({ name }) => taken.has(name) || (bearers.get(name) ?? 0) > 1);
    if (ambiguous.length === 0)
      return new Map(named.map(({ group, name }) => [groupKey(group.kind, group.id), name]));
    for (const { group, step, name } of ambiguous) {
      // Nor does it come to mean a third.
      taken.add(name);
      steps.set(group, step + 1);
    }
  }
}
