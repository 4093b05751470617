import type { DeviceLocation } from './device-location';

/** The name of a cell by its id. */
type CellTitle = (id: number) => string;

/**
 * What a move does besides, in words: it clears the cell, and does not move the children.
 * @param from where the device is; undefined: there are several devices
 * @returns undefined if the device does not move
 */
export function moveEffect(
  from: DeviceLocation | undefined,
  to: DeviceLocation,
  cellTitle: CellTitle,
): string | undefined {
  if (!from) {
    const leaving =
      to.cell_id === null ? 'Devices that are in a cell leave it, and are in no cell then. ' : '';
    return `${leaving}Devices below them stay where they are, unless they are selected, too.`;
  }
  if (from.region_id === to.region_id && from.cell_id === to.cell_id) return undefined;
  const leaving =
    from.cell_id !== null && to.cell_id === null
      ? `It leaves the cell ${cellTitle(from.cell_id)}, and is in no cell then. `
      : '';
  return `${leaving}Devices below it stay where they are.`;
}

/** The members of a form after one was changed: a device that gets another region leaves its cell. */
export function withMember(
  values: Readonly<Record<string, unknown>>,
  entered: Readonly<Record<string, unknown>>,
  name: string,
  value: unknown,
): Readonly<Record<string, unknown>> {
  const next = { ...entered, [name]: value };
  if (name !== 'region_id' || typeof values['cell_id'] !== 'number') return next;
  return { ...next, cell_id: value === values['region_id'] ? values['cell_id'] : null };
}
