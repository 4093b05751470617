import { pluralize } from '../../../text';
import { listText, refusedKeyLines, skippedLines } from '../skipped-objects';
import type { Conversion } from './convert';
import { hasSuffix, isRenamed, isUnnamed } from './devices';
import type { Mapping } from './mapping';
import type { DevicePlan, PlannedDevice } from './plan';
import type { AssignedVariables, SettingCounts } from './variable-levels';

/** What is read and imported, what is skipped, and why. */
export function describeDevices({ inventory, plan, mapping }: Conversion): string[] {
  const { devices } = plan;
  const machines = inventory.devices.filter(({ type }) => type === 'virtual-machine').length;
  const version = inventory.version === undefined ? '' : ` ${inventory.version}`;
  const hosts = devices.filter(({ kind }) => kind === 'host').length;
  const locations = `${pluralize(countRegions(devices), 'region')} and ${pluralize(countCells(devices), 'cell')}`;
  return [
    `NetBox${version}: ${pluralize(inventory.devices.length - machines, 'device')} and ${pluralize(machines, 'virtual machine')}.`,
    `${pluralize(hosts, 'host')} and ${pluralize(devices.length - hosts, 'network device')} in ${locations}.`,
    ...skippedLines(plan.skipped),
    ...exceptionLines(devices, mapping),
    ...renamedLocationLines(plan),
  ];
}

const countRegions = (devices: readonly PlannedDevice[]): number =>
  new Set(devices.map(({ region }) => region)).size;

const countCells = (devices: readonly PlannedDevice[]): number =>
  new Set(devices.flatMap(({ region, cell }) => (cell === undefined ? [] : [JSON.stringify([region, cell])])))
    .size;

/** Lines about devices whose name, region or address in Muster is not one of NetBox. */
function exceptionLines(devices: readonly PlannedDevice[], { regions, addresses }: Mapping): string[] {
  const line = (found: readonly PlannedDevice[], text: string): string[] =>
    found.length === 0
      ? []
      : [`${pluralize(found.length, 'device')} ${text}: ${listText(found.map(({ name }) => name))}.`];
  const isPlaceholder = ({ source }: PlannedDevice): boolean => source.address === undefined;
  return [
    ...line(
      devices.filter(({ source }) => isUnnamed(source)),
      'without a name, imported under the name that NetBox shows',
    ),
    ...line(
      devices.filter(({ source }) => isRenamed(source)),
      'with control or invisible characters in the name, imported with _ in their place, or with outer spaces, imported without them',
    ),
    ...line(
      devices.filter(({ name, source }) => hasSuffix(source, name)),
      'with a name that others have, too, imported with a suffix',
    ),
    ...line(
      devices.filter(({ region }) => region === regions.fallback),
      `without a ${regions.from.replace('_', ' ')}, imported into the region ${regions.fallback ?? ''}`,
    ),
    ...line(
      devices.filter(isPlaceholder),
      `without a primary address, imported with ${addresses.missing ?? ''}`,
    ),
  ];
}

function renamedLocationLines({ renamedLocations }: DevicePlan): string[] {
  const names = [...renamedLocations].map(([from, to]) => `${JSON.stringify(from)} as ${to}`);
  return names.length === 0
    ? []
    : [
        `Regions and cells under other names, because of their characters or more than 255 of them: ${listText(names)}.`,
      ];
}

/** Which variables are set where, which are not imported, and which settings of the last import are removed. */
export function describeVariables({ assigned, removedKeys }: Conversion): string[] {
  return [
    ...assignedLines(assigned),
    ...(removedKeys.length === 0
      ? []
      : [`No longer imported, so their settings are removed: ${listText(removedKeys)}.`]),
  ];
}

function assignedLines({
  contextSettings,
  contextValues,
  ownSettings,
  refused,
}: AssignedVariables): string[] {
  const { regions, cells, labels, devices } = sumSettings(contextSettings.values());
  const levels = [
    `${String(regions)} on regions`,
    `${String(cells)} on cells`,
    ...(labels === 0 ? [] : [`${String(labels)} on labels`]),
    `${String(devices)} on devices`,
  ];
  return [
    `Config contexts: ${pluralize(contextSettings.size, 'key')}, ${pluralize(contextValues, 'value')} of devices from ${pluralize(regions + cells + labels + devices, 'setting')}: ${levels.join(', ')}.`,
    ...(ownSettings === 0
      ? []
      : [`Custom fields and members: ${pluralize(ownSettings, 'setting')} on devices.`]),
    ...refusedKeyLines(
      refused,
      'config_contexts.rename or invalid_keys: replace gives keys of config contexts other names.',
    ),
  ];
}

/** How many settings there are on each level. */
export const sumSettings = (counts: Iterable<SettingCounts>): SettingCounts =>
  [...counts].reduce(
    (sum, one) => ({
      regions: sum.regions + one.regions,
      cells: sum.cells + one.cells,
      labels: sum.labels + one.labels,
      devices: sum.devices + one.devices,
    }),
    { regions: 0, cells: 0, labels: 0, devices: 0 },
  );
