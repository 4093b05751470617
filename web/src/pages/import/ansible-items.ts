/* eslint-disable no-restricted-syntax -- "host" is Ansible's word, whatever kinds of devices there are. */
import { jsonText } from '../../api/exact-json';
import { isObject } from '../../components/is-object';
import { inNaturalOrder } from '../../components/natural-order';
import { FileError } from './import-file';

/** What becomes of a group: nothing, or the region, the cell or a label of its hosts. */
export type GroupTarget = '' | 'region' | 'cell' | 'label';

type Variables = Readonly<Record<string, unknown>>;

/** A group with the hosts that it contains, also through others. */
interface Group {
  readonly name: string;
  readonly hosts: ReadonlySet<string>;
  /** Empty without `--export`: then the variables of hosts contain them. */
  readonly variables: Variables;
}

/** An Ansible inventory: the output of `ansible-inventory --list`, also with `--export`. */
export interface AnsibleInventory {
  /** In the order in which Ansible applies their variables: that of the last one wins. With `all` and `ungrouped`. */
  readonly allGroups: readonly Group[];
  /** Those that can become something: without `all` and `ungrouped`. */
  readonly groups: readonly Group[];
  /** The variables of the hosts themselves; without `--export`, those that each host resolves. */
  readonly devices: ReadonlyMap<string, Variables>;
}

/** What the inventory does not say. */
export interface AnsibleDefaults {
  readonly kind: string;
  /** The region of hosts that no group gives one; an empty text: none. */
  readonly region: string;
  readonly device_type: string;
}

const NO_GROUPS = new Set(['_meta', 'all', 'ungrouped']);
/** The variables with the address of a host, the first that has one. They do not become variables. */
const ADDRESSES = ['ansible_host', 'ansible_ssh_host'];
const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f:]*:[0-9a-f:.]*)$/i;

/** The variable that orders groups of the same depth. */
const PRIORITY = 'ansible_group_priority';

/** @throws FileError for a group that contains itself */
export function readInventory(document: unknown): AnsibleInventory {
  const root = objectOf(document);
  const hostvars = objectOf(objectOf(root['_meta'])['hostvars']);
  const entries = Object.entries(root).filter(([name, group]) => name !== '_meta' && isObject(group));
  const direct = new Map(
    entries.map(([name, value]) => {
      const group = objectOf(value);
      return [name, { hosts: texts(group['hosts']), children: texts(group['children']) }];
    }),
  );
  const depths = new Map<string, number>();
  const membersOf = (name: string, above: readonly string[]): string[] => {
    if (above.includes(name)) throw new FileError(`The group ${name} is its own descendant.`);
    depths.set(name, Math.max(depths.get(name) ?? 0, above.length));
    const { hosts = [], children = [] } = direct.get(name) ?? {};
    return [...hosts, ...children.flatMap((child) => membersOf(child, [...above, name]))];
  };
  const names = new Set([...direct.values()].flatMap(({ hosts }) => hosts).concat(Object.keys(hostvars)));
  const allGroups = entries
    .map(([name, value]) => {
      const { [PRIORITY]: priority, ...variables } = objectOf(objectOf(value)['vars']);
      const hosts = name === 'all' ? names : new Set(membersOf(name, []));
      return { name, hosts, variables, priority: Number(priority ?? 1) };
    })
    .map((group) => ({ ...group, depth: depths.get(group.name) ?? 0 }))
    .toSorted(
      (one, other) =>
        one.depth - other.depth || one.priority - other.priority || compareTexts(one.name, other.name),
    );
  return {
    allGroups,
    groups: allGroups.filter(({ name }) => !NO_GROUPS.has(name)).toSorted(byName),
    devices: new Map([...names].map((name) => [name, objectOf(hostvars[name])])),
  };
}

const objectOf = (value: unknown): Variables => (isObject(value) ? value : {});

const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const byName = (a: Group, b: Group): number => inNaturalOrder(a.name, b.name);

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/**
 * The lines of an import: the hosts, with the regions, cells and labels that their groups become. The variables of a group are set
 * where it becomes something, those of `all` on the regions. A device gets what it would not resolve from these as its own.
 * @throws FileError for hosts in several regions or cells, without a region, or without an address
 */
export function ansibleItems(
  { allGroups, groups, devices }: AnsibleInventory,
  targets: ReadonlyMap<string, GroupTarget>,
  { kind, region: defaultRegion, device_type }: AnsibleDefaults,
): readonly object[] {
  const faults: string[] = [];
  const levels = new Map<string, object>();
  const ofAll = allGroups.find(({ name }) => name === 'all')?.variables ?? {};
  const lines = [...devices].map(([name, own]) => {
    const of = (target: GroupTarget) =>
      groups.filter((group) => targets.get(group.name) === target && group.hosts.has(name));
    const [regionGroup, ...otherRegions] = of('region');
    const [cell, ...otherCells] = of('cell');
    const labels = of('label').toSorted((a, b) => compareTexts(a.name, b.name));
    const region = regionGroup?.name ?? defaultRegion;
    const resolved = mergedOf([...allGroups.filter(({ hosts }) => hosts.has(name)), { variables: own }]);
    const address = [...ADDRESSES.map((key) => resolved[key]), name].find(
      (text) => typeof text === 'string' && ADDRESS.test(text),
    );
    if (otherRegions.length > 0)
      faults.push(`${name} is in several regions: ${namesOf([{ name: region }, ...otherRegions])}`);
    if (cell && otherCells.length > 0)
      faults.push(`${name} is in several cells: ${namesOf([cell, ...otherCells])}`);
    if (region === '') faults.push(`${name} has no region`);
    if (address === undefined) faults.push(`${name} has no address in ${ADDRESSES.join(' or ')}`);
    const ofRegion = { ...ofAll, ...regionGroup?.variables };
    levels.set(`region ${region}`, { kind: 'region', name: region, ...settingOf(ofRegion) });
    if (cell)
      levels.set(`cell ${region}/${cell.name}`, {
        ...{ kind: 'cell', region, name: cell.name },
        ...settingOf(cell.variables),
      });
    for (const { name: label, variables } of labels)
      if (Object.keys(variables).length > 0)
        levels.set(`label ${label}`, { kind: 'label', label, ...settingOf(variables) });
    const inherited = mergedOf([{ variables: ofRegion }, ...(cell ? [cell] : []), ...labels]);
    const needed = Object.entries(resolved).filter(
      ([key, value]) => key in own || !(key in inherited) || jsonText(inherited[key]) !== jsonText(value),
    );
    return {
      kind,
      name,
      region,
      ...(cell && { cell: cell.name }),
      ip_address: address,
      device_type,
      labels: labels.map((label) => label.name),
      variables: Object.fromEntries(needed.filter(isSet)),
    };
  });
  if (faults.length > 0) throw new FileError(faultsText(faults));
  return [...levels.values(), ...lines];
}

const namesOf = (groups: readonly { readonly name: string }[]): string =>
  groups.map(({ name }) => name).join(', ');

/** The variables of several levels, the last of which wins. */
const mergedOf = (levels: readonly { readonly variables: Variables }[]): Variables =>
  Object.assign({}, ...levels.map(({ variables }) => variables)) as Variables;

/** Addresses are members of devices. */
const isSet = ([key]: readonly [string, unknown]): boolean => !ADDRESSES.includes(key);

/** The member of a line; none without variables. */
function settingOf(variables: Variables) {
  const entries = Object.entries(variables).filter(isSet);
  return entries.length > 0 && { variables: Object.fromEntries(entries) };
}

const MAX_SHOWN = 10;

const faultsText = (faults: readonly string[]): string =>
  `${faults.slice(0, MAX_SHOWN).join('; ')}${faults.length > MAX_SHOWN ? `; and ${faults.length - MAX_SHOWN} more` : ''}.`;
