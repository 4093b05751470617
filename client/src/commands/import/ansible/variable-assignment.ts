import { exactJson } from '../../../api/exact-json';
import { inOrder, type Group, type Inventory, type Variables } from './inventory';
import type { Mapping } from './mapping';
import type { Placed } from './placement';

/** The variables that regions, cells and labels get, by what they are. */
export interface Assigned {
  readonly regions: ReadonlyMap<string, Variables>;
  /** By region and name, as `cellKey` has them. */
  readonly cells: ReadonlyMap<string, Variables>;
  readonly labels: ReadonlyMap<string, Variables>;
  readonly hosts: ReadonlyMap<string, Variables>;
  /** Values that stand on hosts because of their groups' order, which Ansible has otherwise. */
  readonly ordered: readonly Pinned[];
  /** Values that stand on hosts because they come from groups that become nothing. */
  readonly loose: readonly Pinned[];
}

/** A value that a host has because what it stands in, and carries, would give it another. */
export interface Pinned {
  readonly host: string;
  readonly key: string;
  readonly group: string;
}

const cellKey = ({ region, cell }: Pick<Placed, 'region' | 'cell'>): string => JSON.stringify([region, cell]);

/** What hosts have in common: a region, a cell or a label. */
interface Holder {
  readonly groups: Set<Group>;
  readonly hosts: Placed[];
}

/**
 * Hands the variables of groups to what they become, and then asks of every host whether it resolves what Ansible
 * resolves: what would come out otherwise is set on the host.
 */
export function assign(inventory: Inventory, mapping: Mapping, placed: readonly Placed[]): Assigned {
  const holders = new Holders();
  for (const host of placed) {
    holders.add('regions', host.region, host, groupsAs(mapping.regions, host));
    if (host.cell !== undefined) holders.add('cells', cellKey(host), host, groupsAs(mapping.cells, host));
    for (const label of host.labels)
      holders.add(
        'labels',
        label,
        host,
        groupsAs(mapping.labels, host, (name) => name === label),
      );
  }
  holders.spread(inventory, mapping);
  const shared = holders.variables(inventory);
  const hosts = new Map<string, Variables>();
  const [ordered, loose]: [Pinned[], Pinned[]] = [[], []];
  for (const host of placed) {
    const own = new Map(inventory.hosts.get(host.name));
    const given = inherited(host, shared);
    for (const [key, { value, group }] of inventory.resolve(host.name)) {
      if (!group || (given.has(key) && isSame(given.get(key), value))) continue;
      own.set(key, value);
      const isKept = holders.keeps(group, key, host, shared);
      (isKept ? ordered : loose).push({ host: host.name, key, group: group.name });
    }
    // It is the address, which need not be told twice, unless what it stands in would give it another.
    const isGiven = given.has(mapping.address) && !isSame(given.get(mapping.address), host.address);
    if (own.get(mapping.address) === host.address && !isGiven) own.delete(mapping.address);
    hosts.set(host.name, own);
  }
  return { ...shared, hosts, ordered, loose };

  function groupsAs<T>(
    by: ReadonlyMap<string, T>,
    { name }: Placed,
    is: (as: T) => boolean = () => true,
  ): Group[] {
    return inventory.groupsOf(name).filter((group) => {
      const as = by.get(group.name);
      return as !== undefined && is(as);
    });
  }
}

type Shared = Pick<Assigned, 'regions' | 'cells' | 'labels'>;

class Holders {
  private readonly holders = {
    regions: new Map<string, Holder>(),
    cells: new Map<string, Holder>(),
    labels: new Map<string, Holder>(),
  };

  add(kind: keyof Shared, name: string, host: Placed, groups: readonly Group[]): void {
    const holder = this.holders[kind].get(name) ?? { groups: new Set(), hosts: [] };
    this.holders[kind].set(name, holder);
    holder.hosts.push(host);
    for (const group of groups) holder.groups.add(group);
  }

  /** A group that becomes nothing hands its variables to the regions that are below it: `all` to every one. */
  spread(inventory: Inventory, { regions, cells, labels }: Mapping): void {
    const loose = [...inventory.groups.values()].filter(
      ({ name, variables }) =>
        variables.size > 0 && !regions.has(name) && !cells.has(name) && !labels.has(name),
    );
    for (const holder of this.holders.regions.values()) {
      const own = [...holder.groups];
      const isBelow = (group: Group) =>
        inventory.isAll(group) || (own.length > 0 && own.every((one) => inventory.isAbove(group, one)));
      for (const group of loose) if (isBelow(group)) holder.groups.add(group);
    }
  }

  /** What each of them sets: nothing that Ansible does not give to every one of its hosts. */
  variables(inventory: Inventory): Shared {
    const of = (holders: ReadonlyMap<string, Holder>) =>
      new Map([...holders].map(([name, holder]) => [name, variablesOf(holder, inventory)]));
    const { regions, cells, labels } = this.holders;
    return { regions: of(regions), cells: of(cells), labels: of(labels) };
  }

  /** Whether a group's variable stands on anything that the host inherits from. */
  keeps(group: Group, key: string, host: Placed, shared: Shared): boolean {
    const { regions, cells, labels } = this.holders;
    const above = [
      [regions.get(host.region), shared.regions.get(host.region)] as const,
      [cells.get(cellKey(host)), shared.cells.get(cellKey(host))] as const,
      ...host.labels.map((label) => [labels.get(label), shared.labels.get(label)] as const),
    ];
    return above.some(
      ([holder, variables]) => holder?.groups.has(group) === true && variables?.has(key) === true,
    );
  }
}

function variablesOf({ groups, hosts }: Holder, inventory: Inventory): Variables {
  const variables = new Map<string, unknown>();
  for (const group of [...groups].sort(inOrder))
    for (const [key, value] of group.variables) variables.set(key, value);
  for (const { name } of hosts) {
    if (variables.size === 0) break;
    const resolved = inventory.resolve(name);
    for (const key of variables.keys()) if (!resolved.has(key)) variables.delete(key);
  }
  return variables;
}

/** What the service resolves for a host that sets nothing: region, cell, labels by their names. */
function inherited(host: Placed, { regions, cells, labels }: Shared): Map<string, unknown> {
  const above = [
    regions.get(host.region),
    cells.get(cellKey(host)),
    ...host.labels.map((label) => labels.get(label)),
  ];
  return new Map(above.flatMap((variables) => [...(variables ?? [])]));
}

const isSame = (a: unknown, b: unknown): boolean => exactJson.stringify(a) === exactJson.stringify(b);
