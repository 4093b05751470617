import type { Fleet, FleetDevice, VariablesOf } from './fleet';

/**
 * The rules of resolution in their simplest form, to compare with the service. It uses no code of the service, searches
 * the whole fleet for each device, and works on parsed JSON.
 */
export function resolve(fleet: Fleet, device: FleetDevice): VariablesOf {
  return overlaid(levelsOf(fleet, 'device', device).map((level) => level.variables));
}

/** A level that a device's variables come from. */
export interface NaiveLevel {
  readonly kind: string;
  readonly name: string;
  readonly variables: VariablesOf;
}

/** Every level of a device, broadest first, including the device itself. */
export function levelsOf(fleet: Fleet, kind: string, device: FleetDevice): NaiveLevel[] {
  const region = fleet.regions.find((one) => one.name === device.region);
  const cell = fleet.cells.find((one) => one.region === device.region && one.name === device.cell);
  const labels = [...device.labels]
    .sort(byCodePoint)
    .map((name) => fleet.labels.find((one) => one.label === name));
  return [
    ...(region ? [{ kind: 'region', name: region.name, variables: region.variables }] : []),
    ...(cell ? [{ kind: 'cell', name: cell.name, variables: cell.variables }] : []),
    ...labels.flatMap((one) => (one ? [{ kind: 'label', name: one.label, variables: one.variables }] : [])),
    { kind, name: device.name, variables: device.variables },
  ];
}

/** The resolved variables of a cell. */
export function resolveCell(fleet: Fleet, cell: Fleet['cells'][number]): VariablesOf {
  const region = fleet.regions.find((one) => one.name === cell.region);
  return overlaid([region?.variables ?? {}, cell.variables]);
}

/** Merges levels, broadest first. A later level replaces the whole value of a key. */
function overlaid(levels: readonly VariablesOf[]): VariablesOf {
  const resolved = new Map<string, unknown>();
  for (const level of levels) for (const key of Object.keys(level)) resolved.set(key, level[key]);
  return Object.fromEntries(resolved);
}

/** Compares by code point, as UTF-8 does. JavaScript compares UTF-16 units. */
export const byCodePoint = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** The same text for equal JSON values in any key order. `__proto__` is an ordinary key. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => byCodePoint(a, b)))
      : member,
  );
