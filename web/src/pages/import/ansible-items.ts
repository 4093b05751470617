/* oxlint-disable eslint-js/no-restricted-syntax -- "host" is Ansible's word, whatever kinds of devices there are. */
import { MarkedTexts } from '../../../../client/src/commands/import/ansible/marked-texts';
import { isVariableKey } from '../../../../client/src/commands/import/variable-keys';
import { isScalar, jsonText } from '../../api/exact-json';
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
  /** The keys that are none of variables here. They are left out. */
  readonly refusedKeys: readonly string[];
}

/** What the inventory does not say. */
export interface AnsibleDefaults {
  readonly kind: string;
  /** The region of hosts that no group gives one; an empty text: none. */
  readonly region: string;
  readonly device_type: string;
  /** The address of hosts without one; an empty text: none. */
  readonly ip_address: string;
}

/** The group that contains all others. */
const ALL = 'all';
const NO_GROUPS = new Set(['_meta', ALL, 'ungrouped']);
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
  const names = new Set([...direct.values()].flatMap(({ hosts }) => hosts).concat(Object.keys(hostvars)));
  const depthOf = depthsOf(direct);
  const hostsOf = hostsInGroups(direct, names);
  const refused = new Set<string>();
  const markedTexts = new MarkedTexts(membersOf);
  const variablesOf = (value: unknown): Variables =>
    Object.fromEntries(
      Object.entries(objectOf(value)).flatMap(([key, one]) => {
        if (isVariableKey(key)) return [[key, markedTexts.unwrap(one)]];
        refused.add(key);
        return [];
      }),
    );
  const allGroups = entries
    .map(([name, value]) => {
      const { [PRIORITY]: priority, ...variables } = variablesOf(objectOf(value)['vars']);
      const depth = depthOf(name);
      return { name, depth, variables, priority: Number(priority ?? 1) };
    })
    // After the depths: they find groups that contain themselves.
    .map((group) => ({ ...group, hosts: hostsOf(group.name) }))
    .toSorted(
      (one, other) =>
        one.depth - other.depth || one.priority - other.priority || compareTexts(one.name, other.name),
    );
  const devices = new Map([...names].map((name) => [name, variablesOf(hostvars[name])]));
  return {
    allGroups,
    groups: allGroups.filter(({ name }) => !NO_GROUPS.has(name)).toSorted(byName),
    devices,
    refusedKeys: [...refused].toSorted(compareTexts),
  };
}

/** The members of an object; undefined for any other value. */
const membersOf = (value: unknown): ReadonlyMap<string, unknown> | undefined =>
  isScalar(value) || Array.isArray(value) ? undefined : new Map(Object.entries(objectOf(value)));

/** The hosts and the groups that each group names itself. */
type DirectMembers = ReadonlyMap<
  string,
  { readonly hosts: readonly string[]; readonly children: readonly string[] }
>;

/** How far groups are below `all`, on their longest way. Every group is below it. */
function depthsOf(direct: DirectMembers): (name: string) => number {
  const parents = new Map<string, string[]>();
  for (const [name, { children }] of direct)
    for (const child of children) parents.set(child, [...(parents.get(child) ?? []), name]);
  const depths = new Map([[ALL, 0]]);
  const depthOf = (name: string, below: readonly string[]): number => {
    const known = depths.get(name);
    if (known !== undefined) return known;
    if (below.includes(name)) throw new FileError(`The group ${name} is its own descendant.`);
    const above = (parents.get(name) ?? [ALL]).map((parent) => depthOf(parent, [...below, name]));
    const depth = 1 + Math.max(...above);
    depths.set(name, depth);
    return depth;
  };
  return (name) => depthOf(name, []);
}

/** The hosts of groups, also those of their children. @param all those of the group `all` */
function hostsInGroups(
  direct: DirectMembers,
  all: ReadonlySet<string>,
): (name: string) => ReadonlySet<string> {
  const members = new Map([[ALL, all]]);
  const hostsOf = (name: string): ReadonlySet<string> => {
    const known = members.get(name);
    if (known) return known;
    const { hosts = [], children = [] } = direct.get(name) ?? {};
    const found = new Set([...hosts, ...children.flatMap((child) => [...hostsOf(child)])]);
    members.set(name, found);
    return found;
  };
  return hostsOf;
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
  { kind, region: defaultRegion, device_type, ip_address }: AnsibleDefaults,
): readonly object[] {
  const faults: string[] = [];
  const levels = new Map<string, object>();
  const ofAll = allGroups.find(({ name }) => name === ALL)?.variables ?? {};
  const lines = [...devices].map(([name, own]) => {
    const of = (target: GroupTarget) =>
      groups.filter((group) => targets.get(group.name) === target && group.hosts.has(name));
    const [regionGroup, ...otherRegions] = of('region');
    const [cell, ...otherCells] = of('cell');
    const labels = of('label').toSorted((a, b) => compareTexts(a.name, b.name));
    const region = regionGroup?.name ?? defaultRegion;
    const resolved = mergedOf([...allGroups.filter(({ hosts }) => hosts.has(name)), { variables: own }]);
    const address = [...ADDRESSES.map((key) => resolved[key]), name, ip_address].find(
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
      ([key, value]) =>
        Object.hasOwn(own, key) ||
        !Object.hasOwn(inherited, key) ||
        jsonText(inherited[key]) !== jsonText(value),
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
  // `Object.assign` would set the prototype to the value of a variable `__proto__`.
  Object.fromEntries(levels.flatMap(({ variables }) => Object.entries(variables)));

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
