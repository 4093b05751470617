import { CliError, EXIT, usageError } from '../../../cli-error';
import { compareCodePoints } from '../../../text';
import { AnsibleInventory, type Variables, type Group } from './inventory';
import { hasMapping, proposeMapping, readMapping, type Mapping } from './mapping';
import { assignVariables, type PinnedValue, type VariableAssignment } from './variable-assignment';
import type { AnsibleOptions } from '../source-options';
import { type ImportSource, LinesSource, type ResourceLine } from '../source';
import { readTextFile, STDIO } from '../../../files/file-access';
import { pluralize, printLines, printStatus } from '../../../output/console';
import { isIP } from 'node:net';

/** Converts an Ansible inventory to an import, and prints a report. @throws CliError */
export async function ansibleSource(
  files: readonly string[],
  options: AnsibleOptions,
): Promise<ImportSource> {
  const [file = STDIO, second] = files;
  if (second !== undefined) throw usageError('--from ansible accepts a single inventory.');
  if (file === STDIO && options.mapping === STDIO) throw usageError('Standard input can be read only once.');
  const inventory = AnsibleInventory.parse(await readTextFile(file), file);
  if (!hasMapping(options)) {
    await printLines(proposeMapping(inventory));
    throw usageError(
      'Missing mapping of groups. Save the proposal above to a file, edit it, and use --mapping; or use --region-groups, --cell-groups and --label-groups.',
    );
  }
  const mapping = await readMapping(options, inventory);
  const placed = placeHosts(inventory, mapping);
  const assignment = assignVariables(inventory, mapping, placed);
  printReport(placed, assignment, inventory);
  if (options.strict && assignment.conflicting.length > 0)
    throw new CliError(
      '--strict does not allow setting these values on hosts.',
      EXIT.usageError,
      pinnedLines(assignment.conflicting),
    );
  return new LinesSource(resourceLines(placed, assignment, mapping));
}

function resourceLines(
  placed: readonly PlacedHost[],
  { regions, cells, labels, hosts }: VariableAssignment,
  mapping: Mapping,
): ResourceLine[] {
  const sortByName = (names: ReadonlyMap<string, Variables>) =>
    [...names].sort(([a], [b]) => compareCodePoints(a, b));
  return [
    ...sortByName(labels).map(([label, own]) => ({
      resource: `label ${label}`,
      body: { kind: 'label', label, ...variablesMember(own) },
    })),
    ...sortByName(regions).map(([name, own]) => ({
      resource: `region ${name}`,
      body: { kind: 'region', name, ...variablesMember(own) },
    })),
    ...sortByName(cells).map(([key, own]) => {
      const [region, name] = JSON.parse(key) as [string, string];
      return {
        resource: `cell ${region}/${name}`,
        body: { kind: 'cell', region, name, ...variablesMember(own) },
      };
    }),
    ...placed.map(({ name, region, cell, labels: hostLabels, address }) => ({
      resource: `host ${name}`,
      body: {
        ...{ kind: 'host', name, region },
        ...(cell === undefined ? {} : { cell }),
        ...{ ip_address: address, device_type: mapping.deviceType },
        // Without label groups, existing labels of hosts stay as they are.
        ...(mapping.labels.size === 0 ? {} : { labels: hostLabels }),
        ...variablesMember(hosts.get(name) ?? new Map()),
      },
    })),
  ];
}

function variablesMember(own: Variables): { variables?: object } {
  if (own.size === 0) return {};
  // Unlike an assignment to a member, this works even for `__proto__`.
  return { variables: Object.fromEntries([...own].sort(([a], [b]) => compareCodePoints(a, b))) };
}

function printReport(
  placed: readonly PlacedHost[],
  assignment: VariableAssignment,
  { groups }: AnsibleInventory,
): void {
  const { regions, cells, labels, conflicting, unmapped } = assignment;
  printStatus(
    `${pluralize(placed.length, 'host')}, ${pluralize(regions.size, 'region')}, ${pluralize(cells.size, 'cell')}, ${pluralize(labels.size, 'label')}.`,
  );
  if (![...groups.values()].some((group) => group.variables.size > 0))
    printStatus(
      'No group has variables. Without the option --export, Ansible prints all variables as host variables.',
    );
  if (unmapped.length > 0)
    printStatus(
      `${pluralize(unmapped.length, 'value')} of ${pluralize(countHosts(unmapped), 'host')} ${unmapped.length === 1 ? 'comes' : 'come'} from unmapped groups and ${unmapped.length === 1 ? 'is' : 'are'} set on the hosts.`,
    );
  if (conflicting.length > 0)
    printStatus(
      `${pluralize(conflicting.length, 'value')} of ${pluralize(countHosts(conflicting), 'host')} would resolve differently and ${conflicting.length === 1 ? 'is' : 'are'} set on the hosts: in Ansible the depth and name of a group determine precedence, in Muster the order region, cell, label, host.`,
    );
}

const countHosts = (pinned: readonly PinnedValue[]): number => new Set(pinned.map(({ host }) => host)).size;

const MAX_SHOWN = 20;

function pinnedLines(pinned: readonly PinnedValue[]): string[] {
  const lines = pinned
    .slice(0, MAX_SHOWN)
    .map(({ host, key, group }) => `  ${host}: ${key}, from the group ${group}`);
  return pinned.length > MAX_SHOWN ? [...lines, `  and ${String(pinned.length - MAX_SHOWN)} more`] : lines;
}

/** A host with its region, cell, labels and address. */
export interface PlacedHost {
  readonly name: string;
  readonly region: string;
  readonly cell: string | undefined;
  /** In ascending precedence. */
  readonly labels: readonly string[];
  readonly address: string;
}

const MAX_SHOWN_HOSTS = 10;

/** Assigns a region, and perhaps a cell, to every host. @throws CliError with the hosts for which this fails */
function placeHosts(inventory: AnsibleInventory, mapping: Mapping): PlacedHost[] {
  const errors = new PlacementErrors();
  const placed = [...inventory.hosts.keys()].sort(compareCodePoints).flatMap((name) => {
    const groups = inventory.groupsOf(name);
    const cell = findCell(name, groups, mapping, errors);
    const region = findRegion(name, groups, cell?.region, mapping, errors);
    const address = findAddress(name, inventory, mapping);
    if (address === undefined) errors.add(`have no IP address in ${mapping.address}`, name);
    if (region === undefined || address === undefined) return [];
    const labels = unique(groups.flatMap((group) => mapping.labels.get(group.name) ?? []));
    return [{ name, region, cell: cell?.name, labels: labels.sort(compareCodePoints), address }];
  });
  errors.throwIfAny();
  return placed;
}

/** The address in a variable of the host, or the name of the host if that is an address. */
function findAddress(name: string, inventory: AnsibleInventory, { address }: Mapping): string | undefined {
  const value = inventory.resolve(name).get(address)?.value;
  return [value, name].find((one): one is string => typeof one === 'string' && isIP(one) !== 0);
}

function findCell(name: string, groups: readonly Group[], { cells }: Mapping, errors: PlacementErrors) {
  const found = groups.flatMap((group) => cells.get(group.name) ?? []);
  const [first] = found;
  const isUnique = found.every((one) => one.name === first?.name && one.region === first.region);
  if (!isUnique) errors.add('would be in several cells', name);
  return first;
}

function findRegion(
  name: string,
  groups: readonly Group[],
  regionOfCell: string | undefined,
  { regions, region }: Mapping,
  errors: PlacementErrors,
): string | undefined {
  const mapped = groups.flatMap((group) => regions.get(group.name) ?? []);
  const found = unique(regionOfCell === undefined ? mapped : [...mapped, regionOfCell]);
  if (found.length > 1) errors.add(`would be in several regions (${found.join(', ')})`, name);
  const one = found[0] ?? region;
  if (one === undefined) errors.add('are in no region: use --region', name);
  return one;
}

const unique = (names: readonly string[]): string[] => [...new Set(names)];

/** Collects problems, and the hosts that have them. */
class PlacementErrors {
  private readonly hosts = new Map<string, string[]>();

  add(problem: string, host: string): void {
    const hosts = this.hosts.get(problem);
    if (hosts) hosts.push(host);
    else this.hosts.set(problem, [host]);
  }

  /** @throws CliError if there are any */
  throwIfAny(): void {
    if (this.hosts.size === 0) return;
    const lines = [...this.hosts].map(([problem, hosts]) => {
      const more =
        hosts.length > MAX_SHOWN_HOSTS ? ` and ${String(hosts.length - MAX_SHOWN_HOSTS)} more` : '';
      return `  ${String(hosts.length)} ${problem}: ${hosts.slice(0, MAX_SHOWN_HOSTS).join(', ')}${more}`;
    });
    throw new CliError('This mapping does not place every host:', EXIT.usageError, lines);
  }
}
