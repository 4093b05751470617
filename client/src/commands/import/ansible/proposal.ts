import { counted } from '../../../output/counted';
import type { Group, Inventory } from './inventory';

type Kind = 'regions' | 'cells' | 'labels';

const REGION_NAMES = /^(?:dc|datacent(?:er|re)|region|site|location|loc|az)(?:[_-]|\d|$)/i;
const CELL_NAMES = /^(?:rack|cell|cage|row|room|pod|zone)(?:[_-]|\d|$)/i;
/** They have everything, or what is in nothing else. */
const WITHOUT = new Set(['all', 'ungrouped']);

/** What the groups of an inventory might become, as a mapping file: by their names, and else by what they have below. */
export function proposalOf(inventory: Inventory): string {
  const groups = [...inventory.groups.values()].filter(({ name }) => !WITHOUT.has(name));
  const kinds = new Map(groups.map((group) => [group.name, kindByName(group)]));
  if (![...kinds.values()].includes('regions'))
    for (const name of disjointTops(groups, inventory)) kinds.set(name, 'regions');
  const counts = new Map<Group, number>();
  for (const host of inventory.hosts.keys())
    for (const group of inventory.groupsOf(host)) counts.set(group, (counts.get(group) ?? 0) + 1);
  const sections = (['regions', 'cells', 'labels'] as const).map((kind) => {
    const of = groups.filter(({ name }) => (kinds.get(name) ?? 'labels') === kind);
    const lines = of.map(
      (group) => `  ${quoted(group.name)}: ${quoted(group.name)} # ${about(group, counts.get(group) ?? 0)}\n`,
    );
    return lines.length === 0 ? `${kind}: {}\n` : `${kind}:\n${lines.join('')}`;
  });
  return [
    '# What Ansible groups become: group: name. A cell is one of the region that its hosts are in,\n',
    '# unless it is told: rack_a: { region: north, name: a }. Take out what is to become nothing.\n',
    ...sections,
    '# The region of hosts that no group puts into one.\n# region: north\n',
    'device_type: server\n',
    '# The variable that has the address.\nip_address: ansible_host\n',
  ].join('');
}

function kindByName({ name }: Group): Kind | undefined {
  if (REGION_NAMES.test(name)) return 'regions';
  return CELL_NAMES.test(name) ? 'cells' : undefined;
}

/** Groups at the top that have groups below them, if no host is in two of them. */
function disjointTops(groups: readonly Group[], inventory: Inventory): string[] {
  const tops = groups
    .filter(({ depth, children }) => depth === 1 && children.size > 0)
    .map(({ name }) => name);
  const isDisjoint = [...inventory.hosts.keys()].every(
    (host) => inventory.groupsOf(host).filter(({ name }) => tops.includes(name)).length < 2,
  );
  return isDisjoint ? tops : [];
}

function about(group: Group, hosts: number): string {
  const texts = [
    counted(hosts, 'host'),
    ...(group.variables.size === 0 ? [] : [counted(group.variables.size, 'variable')]),
    ...(group.children.size === 0 ? [] : [`above ${[...group.children].join(', ')}`]),
  ];
  return texts.join(', ');
}

/** A group's name as YAML: quoted wherever it could be taken for something else. */
const quoted = (name: string): string =>
  /^[A-Za-z_][\w.-]*$/.test(name) && !/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(name)
    ? name
    : JSON.stringify(name);
