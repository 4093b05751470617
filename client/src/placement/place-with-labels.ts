import { countSettings, placeKey, type DeviceValue, type KeyPlacement, type PlacedKey } from './place-key';

/** A device with its labels. */
export interface LabelledDeviceValue extends DeviceValue {
  readonly labels: readonly string[];
}

/** Where one variable is set, including labels: values by the names of labels. */
export interface PlacedKeyWithLabels extends PlacedKey {
  readonly labels: Map<string, string>;
}

/**
 * Like `placeKey`, but also sets values on labels if that takes fewer settings.
 *
 * A value is set on labels if all devices with these labels have it, all devices that have it have one of these labels,
 * and there are fewer of these labels than settings of this value without labels. So all labels of a device
 * set the same value, whatever their order. If this does not reduce the number of settings, no label is used.
 */
export function placeKeyWithLabels(placement: KeyPlacement<LabelledDeviceValue>): PlacedKeyWithLabels {
  const withoutLabels = { ...placeKey(placement), labels: new Map<string, string>() };
  const labels = chooseLabels(placement.devices, countByValue(withoutLabels));
  if (labels.size === 0) return withoutLabels;
  const devices = placement.devices.map((device) => {
    const label = device.labels.find((name) => labels.has(name));
    return label === undefined ? device : { ...device, fromLabels: labels.get(label) };
  });
  const withLabels = { ...placeKey({ ...placement, devices }), labels };
  const isBetter = countSettings(withLabels) + labels.size < countSettings(withoutLabels);
  return isBetter ? withLabels : withoutLabels;
}

/** The number of settings of each value. */
function countByValue({ regions, cells, devices }: PlacedKey): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const settings of [regions, cells, devices])
    for (const value of settings.values()) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** The labels to set values on, with the values. @param counts the number of settings of each value without labels */
function chooseLabels(
  devices: readonly LabelledDeviceValue[],
  counts: ReadonlyMap<string, number>,
): Map<string, string> {
  const uncovered = new Map<string, Set<string>>();
  for (const { id, value } of devices)
    if (value !== undefined && (counts.get(value) ?? 0) > 1) addTo(uncovered, value, id);
  const chosen = new Map<string, string[]>();
  for (const { label, value, members } of uniformLabels(devices)) {
    const rest = uncovered.get(value);
    if (!rest || !members.some((id) => rest.has(id))) continue;
    for (const id of members) rest.delete(id);
    chosen.set(value, [...(chosen.get(value) ?? []), label]);
  }
  const labels = new Map<string, string>();
  for (const [value, names] of chosen)
    if (uncovered.get(value)?.size === 0 && names.length < (counts.get(value) ?? 0))
      for (const name of names) labels.set(name, value);
  return labels;
}

interface UniformLabel {
  readonly label: string;
  /** The value of all its devices. */
  readonly value: string;
  readonly members: readonly string[];
}

/** The labels whose devices all have the same value, and no value from other labels; those of most devices first. */
function uniformLabels(devices: readonly LabelledDeviceValue[]): UniformLabel[] {
  const labels = new Map<string, { readonly value: string; readonly members: string[] }>();
  const mixed = new Set<string>();
  for (const { id, value, fromLabels, labels: names } of devices)
    for (const name of names) {
      const known = labels.get(name);
      if (value === undefined || fromLabels !== undefined || (known && known.value !== value))
        mixed.add(name);
      else if (known) known.members.push(id);
      else labels.set(name, { value, members: [id] });
    }
  return [...labels]
    .filter(([label]) => !mixed.has(label))
    .map(([label, uniform]) => ({ label, ...uniform }))
    .sort((a, b) => b.members.length - a.members.length || (a.label < b.label ? -1 : 1));
}

function addTo(sets: Map<string, Set<string>>, key: string, item: string): void {
  const set = sets.get(key);
  if (set) set.add(item);
  else sets.set(key, new Set([item]));
}
