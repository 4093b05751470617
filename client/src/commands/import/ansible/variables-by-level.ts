import { exactJson } from '../../../api/exact-json';
import { compareGroups, type AnsibleInventory, type Group, type Variables } from './inventory';
import type { Mapping } from './mapping';
import type { LocatedHost } from './host-locations';

/** The variables of regions, cells, labels and hosts. */
export interface VariablesByLevel {
  readonly regions: ReadonlyMap<string, Variables>;
  /** By `cellKey`. */
  readonly cells: ReadonlyMap<string, Variables>;
  readonly labels: ReadonlyMap<string, Variables>;
  readonly hosts: ReadonlyMap<string, Variables>;
  /** Values set on hosts because the precedence of their groups differs in Ansible. */
  readonly conflicting: readonly PinnedValue[];
  /** Values set on hosts because they come from unmapped groups. */
  readonly unmapped: readonly PinnedValue[];
}

/** A group's value that is set on a host, because the host would not inherit it. */
export interface PinnedValue {
  readonly host: string;
  readonly key: string;
  readonly group: string;
}

const cellKey = ({ region, cell }: Pick<LocatedHost, 'region' | 'cell'>): string =>
  JSON.stringify([region, cell]);

/** A region, cell or label, with its groups and hosts. */
interface Level {
  readonly groups: Set<Group>;
  readonly hosts: LocatedHost[];
}

/**
 * Assigns the variables of groups to the levels that they are mapped to. Values that a host would resolve differently than
 * in Ansible are set on the host.
 */
export function assignVariables(
  inventory: AnsibleInventory,
  mapping: Mapping,
  located: readonly LocatedHost[],
): VariablesByLevel {
  const levels = new Levels();
  for (const host of located) {
    levels.add('regions', host.region, host, groupsAs(mapping.regions, host));
    if (host.cell !== undefined) levels.add('cells', cellKey(host), host, groupsAs(mapping.cells, host));
    for (const label of host.labels)
      levels.add(
        'labels',
        label,
        host,
        groupsAs(mapping.labels, host, (name) => name === label),
      );
  }
  levels.assignUnmappedGroups(inventory, mapping);
  const levelVariables = levels.variables(inventory);
  const hosts = new Map<string, Variables>();
  const [conflicting, unmapped]: [PinnedValue[], PinnedValue[]] = [[], []];
  for (const host of located) {
    const own = new Map(inventory.hosts.get(host.name));
    const inherited = inheritedVariables(host, levelVariables);
    for (const [key, { value, group }] of inventory.resolve(host.name)) {
      if (!group || (inherited.has(key) && isSame(inherited.get(key), value))) continue;
      own.set(key, value);
      const isInheritedByLevel = levels.isGroupVariableInherited(group, key, host, levelVariables);
      (isInheritedByLevel ? conflicting : unmapped).push({ host: host.name, key, group: group.name });
    }
    // The address is a member of the host. The variable is needed only to override an inherited one.
    const { address, addressVariable = '' } = host;
    const isOverridden = inherited.has(addressVariable) && !isSame(inherited.get(addressVariable), address);
    if (own.get(addressVariable) === address && !isOverridden) own.delete(addressVariable);
    hosts.set(host.name, own);
  }
  return { ...levelVariables, hosts, conflicting, unmapped };

  function groupsAs<T>(
    mapped: ReadonlyMap<string, T>,
    { name }: LocatedHost,
    matches: (target: T) => boolean = () => true,
  ): Group[] {
    return inventory.groupsOf(name).filter((group) => {
      const target = mapped.get(group.name);
      return target !== undefined && matches(target);
    });
  }
}

type LevelVariables = Pick<VariablesByLevel, 'regions' | 'cells' | 'labels'>;

class Levels {
  private readonly levels = {
    regions: new Map<string, Level>(),
    cells: new Map<string, Level>(),
    labels: new Map<string, Level>(),
  };

  add(kind: keyof LevelVariables, name: string, host: LocatedHost, groups: readonly Group[]): void {
    const level = this.levels[kind].get(name) ?? { groups: new Set(), hosts: [] };
    this.levels[kind].set(name, level);
    level.hosts.push(host);
    for (const group of groups) level.groups.add(group);
  }

  /** Assigns an unmapped group to the regions below it: `all` to every region. */
  assignUnmappedGroups(inventory: AnsibleInventory, { regions, cells, labels }: Mapping): void {
    const unmapped = [...inventory.groups.values()].filter(
      ({ name, variables }) =>
        variables.size > 0 && !regions.has(name) && !cells.has(name) && !labels.has(name),
    );
    for (const level of this.levels.regions.values()) {
      const own = [...level.groups];
      const isBelow = (group: Group): boolean =>
        inventory.isAll(group) || (own.length > 0 && own.every((one) => inventory.isAbove(group, one)));
      for (const group of unmapped) if (isBelow(group)) level.groups.add(group);
    }
  }

  /** The variables of each level: those that Ansible resolves for all of its hosts. */
  variables(inventory: AnsibleInventory): LevelVariables {
    const variablesOfLevels = (levels: ReadonlyMap<string, Level>) =>
      new Map([...levels].map(([name, level]) => [name, variablesOf(level, inventory)]));
    const { regions, cells, labels } = this.levels;
    return {
      regions: variablesOfLevels(regions),
      cells: variablesOfLevels(cells),
      labels: variablesOfLevels(labels),
    };
  }

  /** Whether a level that the host inherits from sets this variable of the group. */
  isGroupVariableInherited(
    group: Group,
    key: string,
    host: LocatedHost,
    levelVariables: LevelVariables,
  ): boolean {
    const { regions, cells, labels } = this.levels;
    const ancestors = [
      [regions.get(host.region), levelVariables.regions.get(host.region)] as const,
      [cells.get(cellKey(host)), levelVariables.cells.get(cellKey(host))] as const,
      ...host.labels.map((label) => [labels.get(label), levelVariables.labels.get(label)] as const),
    ];
    return ancestors.some(
      ([level, variables]) => level?.groups.has(group) === true && variables?.has(key) === true,
    );
  }
}

function variablesOf({ groups, hosts }: Level, inventory: AnsibleInventory): Variables {
  const variables = new Map<string, unknown>();
  for (const group of [...groups].sort(compareGroups))
    for (const [key, value] of group.variables) variables.set(key, value);
  for (const { name } of hosts) {
    if (variables.size === 0) break;
    const resolved = inventory.resolve(name);
    for (const key of variables.keys()) if (!resolved.has(key)) variables.delete(key);
  }
  return variables;
}

/** The variables that a host inherits: from region, cell, and labels by name. */
function inheritedVariables(
  host: LocatedHost,
  { regions, cells, labels }: LevelVariables,
): Map<string, unknown> {
  const ancestors = [
    regions.get(host.region),
    cells.get(cellKey(host)),
    ...host.labels.map((label) => labels.get(label)),
  ];
  return new Map(ancestors.flatMap((variables) => [...(variables ?? [])]));
}

const isSame = (a: unknown, b: unknown): boolean => exactJson.stringify(a) === exactJson.stringify(b);
