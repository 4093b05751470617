import type { Fleet, FleetDevice, VariablesOf } from './fleet';

/**
 * The rules of resolution, as plainly as they can be written down, to hold the service against. Deliberately naive:
 * it knows nothing of the service's code, looks through the whole fleet for each device, and works on parsed JSON.
 */
export function resolve(fleet: Fleet, device: FleetDevice): VariablesOf {
  const region = fleet.regions.find((one) => one.name === device.region);
  const cell = fleet.cells.find((one) => one.region === device.region && one.name === device.cell);
  const labels = [...device.labels]
    .sort(byCodePoint)
    .map((name) => fleet.labels.find((one) => one.label === name));
  return overlaid([region, cell, ...labels, device].map((level) => level?.variables ?? {}));
}

/** What a cell inherits and has. */
export function resolveCell(fleet: Fleet, cell: Fleet['cells'][number]): VariablesOf {
  const region = fleet.regions.find((one) => one.name === cell.region);
  return overlaid([region?.variables ?? {}, cell.variables]);
}

/** Broadest first: a later level replaces a key whole. */
function overlaid(levels: readonly VariablesOf[]): VariablesOf {
  const resolved = new Map<string, unknown>();
  for (const level of levels) for (const key of Object.keys(level)) resolved.set(key, level[key]);
  return Object.fromEntries(resolved);
}

/** UTF-8 sorts as code points do; JavaScript's own order is that of UTF-16 units. */
export const byCodePoint = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** One text for equal JSON values, whatever the order of their keys; `__proto__` is a key like any other. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => byCodePoint(a, b)))
      : member,
  );
