/* eslint-disable no-restricted-syntax -- "host" is Ansible's word, whatever kinds of devices there are. */
import { isObject } from '../../components/is-object';
import { FileError } from './import-file';

/** What becomes of a group: nothing, or the region, the cell or a label of its hosts. */
export type GroupTarget = '' | 'region' | 'cell' | 'label';

/** An Ansible inventory: the output of `ansible-inventory --list`. */
export interface AnsibleInventory {
  /** The groups with the hosts that they contain, also through others. Without `all` and `ungrouped`. */
  readonly groups: ReadonlyMap<string, ReadonlySet<string>>;
  /** The variables that each host resolves. */
  readonly devices: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
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

/** @throws FileError for an inventory with variables of groups */
export function readInventory(document: unknown): AnsibleInventory {
  const root = isObject(document) ? document : {};
  const meta = isObject(root['_meta']) ? root['_meta'] : {};
  const hostvars = isObject(meta['hostvars']) ? meta['hostvars'] : {};
  const direct = new Map<string, { readonly hosts: string[]; readonly children: string[] }>();
  for (const [name, group] of Object.entries(root)) {
    if (name === '_meta' || !isObject(group)) continue;
    if (isObject(group['vars']) && Object.keys(group['vars']).length > 0)
      throw new FileError(
        `The group ${name} has variables, because the file was written with --export. Write it without, or import it with “muster import --from ansible”, which sets them on regions, cells and labels.`,
      );
    direct.set(name, { hosts: texts(group['hosts']), children: texts(group['children']) });
  }
  const membersOf = (name: string, above: readonly string[]): string[] => {
    if (above.includes(name)) throw new FileError(`The group ${name} is its own descendant.`);
    const { hosts = [], children = [] } = direct.get(name) ?? {};
    return [...hosts, ...children.flatMap((child) => membersOf(child, [...above, name]))];
  };
  const groups = new Map(
    [...direct.keys()]
      .filter((name) => !NO_GROUPS.has(name))
      .map((name) => [name, new Set(membersOf(name, []))] as const),
  );
  const names = new Set([...direct.values()].flatMap(({ hosts }) => hosts).concat(Object.keys(hostvars)));
  const variablesOf = (name: string) => {
    const variables = hostvars[name];
    return isObject(variables) ? variables : {};
  };
  return { groups, devices: new Map([...names].map((name) => [name, variablesOf(name)])) };
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/**
 * The lines of an import: the hosts, with the regions and cells that their groups become.
 * @throws FileError for hosts in several regions or cells, without a region, or without an address
 */
export function ansibleItems(
  { groups, devices }: AnsibleInventory,
  targets: ReadonlyMap<string, GroupTarget>,
  { kind, region: defaultRegion, device_type }: AnsibleDefaults,
): readonly object[] {
  const faults: string[] = [];
  const places = new Map<string, object>();
  const lines = [...devices].map(([name, variables]) => {
    const of = (target: GroupTarget) =>
      [...groups]
        .filter(([group, names]) => targets.get(group) === target && names.has(name))
        .map(([group]) => group);
    const [region = defaultRegion, ...otherRegions] = of('region');
    const [cell, ...otherCells] = of('cell');
    const address = [...ADDRESSES.map((key) => variables[key]), name].find(
      (text) => typeof text === 'string' && ADDRESS.test(text),
    );
    if (otherRegions.length > 0)
      faults.push(`${name} is in several regions: ${[region, ...otherRegions].join(', ')}`);
    if (otherCells.length > 0)
      faults.push(`${name} is in several cells: ${[cell, ...otherCells].join(', ')}`);
    if (region === '') faults.push(`${name} has no region`);
    if (address === undefined) faults.push(`${name} has no address in ${ADDRESSES.join(' or ')}`);
    places.set(`region ${region}`, { kind: 'region', name: region });
    if (cell !== undefined) places.set(`cell ${region}/${cell}`, { kind: 'cell', region, name: cell });
    const others = Object.entries(variables).filter(([key]) => !ADDRESSES.includes(key));
    return {
      kind,
      name,
      region,
      ...(cell !== undefined && { cell }),
      ip_address: address,
      device_type,
      labels: of('label'),
      variables: Object.fromEntries(others),
    };
  });
  if (faults.length > 0) throw new FileError(faultsText(faults));
  return [...places.values(), ...lines];
}

const MAX_SHOWN = 10;

const faultsText = (faults: readonly string[]): string =>
  `${faults.slice(0, MAX_SHOWN).join('; ')}${faults.length > MAX_SHOWN ? `; and ${faults.length - MAX_SHOWN} more` : ''}.`;
