import { CliError, EXIT, usageError } from '../../../cli-error';
import { readTextFile, STDIO } from '../../../files/file-access';
import { printLines, printStatus } from '../../../output/console';
import { compareCodePoints, pluralize } from '../../../text';
import { listText, refusedKeyLines, skippedLines, type CountedKey } from '../skipped-objects';
import type { ResourceLine } from '../../../files/resource-line';
import { type ImportSource, LinesSource } from '../../../files/source';
import type { AnsibleOptions } from './ansible-options';
import { mapKeys, type RefusedKey } from '../variable-keys';
import { findAddresses, type Addresses } from './addresses';
import { AnsibleInventory, type Variables } from './inventory';
import { hasMapping, proposeMapping, readMapping, type Mapping } from './mapping';
import type { MarkedTexts } from './marked-texts';
import { ADDRESS_REMEDY, locateHosts, type LocatedHost, type HostLocations } from './host-locations';
import { assignVariables, type PinnedValue, type VariablesByLevel } from './variables-by-level';

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
  const addresses = await findAddresses(inventory, mapping);
  const hostLocations = locateHosts(inventory, mapping, addresses);
  const { located } = hostLocations;
  const mapped = mapKeys(inventory.keys(), mapping.keys);
  const refused = countHostsWith(mapped.refused, located, inventory);
  inventory.renameKeys(mapped.keys);
  const variables = assignVariables(inventory, mapping, located);
  printReport({ inventory, mapping, addresses, hostLocations, refused, variables });
  if (options.strict && variables.conflicting.length > 0)
    throw new CliError(
      '--strict does not allow setting these values on hosts.',
      EXIT.usageError,
      pinnedLines(variables.conflicting),
    );
  return new LinesSource(resourceLines(located, variables, mapping));
}

function resourceLines(
  located: readonly LocatedHost[],
  { regions, cells, labels, hosts }: VariablesByLevel,
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
    ...located.map(({ name, region, cell, labels: hostLabels, address }) => ({
      resource: `host ${name}`,
      body: {
        kind: 'host',
        name,
        region,
        ...(cell === undefined ? {} : { cell }),
        ip_address: address,
        device_type: mapping.deviceType,
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

/** Counts the hosts with each of the keys that are not imported. */
function countHostsWith(
  refused: readonly RefusedKey[],
  located: readonly LocatedHost[],
  inventory: AnsibleInventory,
): CountedKey[] {
  const counts = new Map(refused.map(({ key }) => [key, 0]));
  if (counts.size > 0)
    for (const { name } of located)
      for (const key of inventory.resolve(name).keys()) {
        const count = counts.get(key);
        if (count !== undefined) counts.set(key, count + 1);
      }
  return refused.map((one) => ({ ...one, devices: counts.get(one.key) ?? 0 }));
}

/** What an import reports. */
interface ImportReport {
  readonly inventory: AnsibleInventory;
  readonly mapping: Mapping;
  readonly addresses: Addresses;
  readonly hostLocations: HostLocations;
  readonly refused: readonly CountedKey[];
  readonly variables: VariablesByLevel;
}

function printReport(report: ImportReport): void {
  const { inventory, hostLocations, refused, variables } = report;
  const { regions, cells, labels, conflicting, unmapped } = variables;
  printStatus(
    `${pluralize(hostLocations.located.length, 'host')}, ${pluralize(regions.size, 'region')}, ${pluralize(cells.size, 'cell')}, ${pluralize(labels.size, 'label')}.`,
    ...addressLines(report),
    ...refusedKeyLines(
      refused,
      'variables.rename or variables.invalid_keys: replace gives keys other names.',
    ),
    ...markedTextLines(inventory.markedTexts),
  );
  if (![...inventory.groups.values()].some((group) => group.variables.size > 0))
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

/** Lines about the hosts whose address is not in the inventory. */
function addressLines({ mapping, addresses, hostLocations }: ImportReport): string[] {
  const { resolved, unresolved } = addresses;
  const { skipped, withoutAddress } = hostLocations;
  return [
    ...(resolved.length === 0
      ? []
      : [`${pluralize(resolved.length, 'name')} looked up: ${listText(resolved)}.`]),
    ...(unresolved.length === 0
      ? []
      : [`${pluralize(unresolved.length, 'name')} not found: ${listText(unresolved)}.`]),
    ...skippedLines(skipped),
    ...(withoutAddress.length === 0
      ? []
      : [
          `${pluralize(withoutAddress.length, 'host')} without an IP address, imported with ${mapping.addresses.missing ?? ''}: ${listText(withoutAddress)}.`,
        ]),
    ...(skipped.length + withoutAddress.length === 0 ? [] : [ADDRESS_REMEDY]),
  ];
}

const markedTextLines = ({ templates, encrypted }: MarkedTexts): string[] => [
  ...(templates === 0
    ? []
    : [
        `${pluralize(templates, 'text')} with {{, {% or {# ${templates === 1 ? 'keeps its' : 'keep their'} mark __ansible_unsafe, so that Ansible does not evaluate ${templates === 1 ? 'it' : 'them'}.`,
      ]),
  ...(encrypted === 0
    ? []
    : [
        `${pluralize(encrypted, 'value')} of Ansible Vault ${encrypted === 1 ? 'is' : 'are'} imported as text, still encrypted: Ansible does not decrypt ${encrypted === 1 ? 'it' : 'them'} there.`,
      ]),
];

const countHosts = (pinned: readonly PinnedValue[]): number => new Set(pinned.map(({ host }) => host)).size;

const MAX_SHOWN = 20;

function pinnedLines(pinned: readonly PinnedValue[]): string[] {
  const lines = pinned
    .slice(0, MAX_SHOWN)
    .map(({ host, key, group }) => `  ${host}: ${key}, from the group ${group}`);
  return pinned.length > MAX_SHOWN ? [...lines, `  and ${String(pinned.length - MAX_SHOWN)} more`] : lines;
}
