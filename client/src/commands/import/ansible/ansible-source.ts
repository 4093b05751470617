import { CliError, EXIT, usageError } from '../../../cli-error';
import { compareCodePoints } from '../../../text';
import { AnsibleInventory, type Variables } from './inventory';
import { hasMapping, proposeMapping, readMapping, type Mapping } from './mapping';
import { placeHosts, type PlacedHost } from './placement';
import { assignVariables, type PinnedValue, type VariableAssignment } from './variable-assignment';
import type { AnsibleOptions } from './options';
import { type ImportSource, LinesSource, type ResourceLine } from '../source';
import { readTextFile, STDIO } from '../../../files/file-access';
import { pluralize, printLines, printStatus } from '../../../output/console';

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
