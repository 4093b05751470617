import { exactJson } from '../../../api/exact-json';
import { globToRegExp } from '../../../text';
import { KEYS_VARIABLE, type ExistingInventory } from './existing';
import type { Reference } from './answers';
import type { Mapping } from './mapping';
import { cleanName } from './names';
import { cellId } from '../../../hoist/fleet';
import type { AssignedVariables } from './variable-levels';
import { mapsParents, type PlannedDevice } from './plan';
import type { ResourceLine } from '../../../files/resource-line';

type Variables = ReadonlyMap<string, string>;

/**
 * The keys whose settings the import replaces: those of this import, and those of the last one that are no longer
 * imported. Keys that the mapping skips belong to Muster.
 */
export function ownedKeys(
  { keys }: AssignedVariables,
  { importedKeys }: ExistingInventory,
  { contexts, variables }: Mapping,
): ReadonlySet<string> {
  const skippedKeys = contexts.skipKeys.map(globToRegExp);
  const skippedFields = variables.skipCustomFields.map((pattern) =>
    globToRegExp(`${variables.customFieldPrefix}${pattern}`),
  );
  const isSkipped = (key: string): boolean => {
    const names = [key, ...[...contexts.rename].flatMap(([name, target]) => (target === key ? [name] : []))];
    return (
      names.some((name) => skippedKeys.some((pattern) => pattern.test(name))) ||
      skippedFields.some((pattern) => pattern.test(key))
    );
  };
  return new Set([...keys, ...importedKeys.filter((key) => !isSkipped(key))]);
}

/**
 * The lines of the import. They set the assigned variables, and remove other settings of the same keys from the regions,
 * cells, labels and devices that are imported: otherwise devices could resolve something else than NetBox renders.
 */
export function importLines(
  devices: readonly PlannedDevice[],
  assigned: AssignedVariables,
  existing: ExistingInventory,
  mapping: Mapping,
): ResourceLine[] {
  const owned = ownedKeys(assigned, existing, mapping);
  const values = new ValueParser();
  const variablesOf = (planned: Variables | undefined, present: readonly string[] | undefined): object => {
    const unset = (present ?? []).filter((key) => owned.has(key) && planned?.has(key) !== true);
    return {
      ...(planned === undefined ? {} : { variables: values.parseAll(planned) }),
      ...(unset.length === 0 ? {} : { unset_variables: unset.sort() }),
    };
  };
  const prefixes = [...mapping.labels.prefixes.values()];
  const labelsOf = ({ name, labels }: PlannedDevice): string[] => {
    const others = (existing.deviceLabels.get(name) ?? []).filter(
      (label) => !prefixes.some((prefix) => label.startsWith(prefix)),
    );
    return [...new Set([...labels, ...others])].sort();
  };
  const hasLabels = ({ name }: PlannedDevice, all: readonly string[]): boolean => {
    const present = existing.deviceLabels.get(name);
    return present?.length === all.length && all.every((label) => present.includes(label));
  };
  const labelled = devices.map((device) => ({ device, labels: labelsOf(device) }));
  const labels = [...new Set([...assigned.labels.keys(), ...labelled.flatMap((one) => one.labels)])].sort();
  const regions = [...new Set(devices.map(({ region }) => region))].sort();
  const cells = new Map(
    devices.flatMap(({ region, cell }) =>
      cell === undefined ? [] : [[cellId(region, cell), { region, cell }] as const],
    ),
  );
  return [
    importLabelLine(assigned, mapping),
    ...labels.map((label) => ({
      resource: `label ${label}`,
      body: { kind: 'label', label, ...variablesOf(assigned.labels.get(label), existing.labels.get(label)) },
    })),
    ...regions.map((name) => ({
      resource: `region ${name}`,
      body: {
        kind: 'region',
        name,
        ...variablesOf(assigned.regions.get(name), existing.regions.get(name)),
      },
    })),
    ...[...cells]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, { region, cell }]) => ({
        resource: `cell ${region}/${cell}`,
        body: {
          kind: 'cell',
          region,
          name: cell,
          ...variablesOf(assigned.cells.get(id), existing.cells.get(id)),
        },
      })),
    ...labelled.map(({ device, labels: all }) => ({
      resource: `${device.kind} ${device.name}`,
      body: {
        ...deviceMembers(device, mapping),
        // A line replaces all labels. One that does not have to keeps those that others set meanwhile.
        ...(prefixes.length === 0 || hasLabels(device, all) ? {} : { labels: all }),
        ...variablesOf(assigned.devices.get(device.name), existing.devices.get(device.name)),
      },
    })),
  ];
}

function importLabelLine({ keys }: AssignedVariables, { importLabel }: Mapping): ResourceLine {
  return {
    resource: `label ${importLabel}`,
    body: { kind: 'label', label: importLabel, variables: { [KEYS_VARIABLE]: [...keys].sort() } },
  };
}

function deviceMembers(device: PlannedDevice, mapping: Mapping): object {
  const { kind, name, region, cell, parent, address, deviceType, isActive, source } = device;
  return {
    kind,
    name,
    region,
    cell: cell ?? null,
    ip_address: address,
    device_type: deviceType,
    ...(mapsParents(mapping) ? { parent: parent ?? null } : {}),
    active: isActive,
    ...(kind === 'network-device'
      ? { model_name: cleanReference(source.model), os_version: cleanReference(source.platform) }
      : {}),
  };
}

const cleanReference = (reference: Reference | undefined): string | null =>
  reference === undefined ? null : cleanName(reference.name);

/** Parses canonical JSON. Equal texts share their value, because most devices have the same values. */
class ValueParser {
  private readonly values = new Map<string, unknown>();

  parseAll(variables: Variables): object {
    // Unlike an assignment to a member, this works even for `__proto__`.
    return Object.fromEntries([...variables].map(([key, text]) => [key, this.parse(text)]));
  }

  private parse(text: string): unknown {
    if (!this.values.has(text)) this.values.set(text, exactJson.parse(text));
    return this.values.get(text);
  }
}
