/** Where a device is: a region, or a cell of it. */
export interface DeviceLocation {
  readonly region_id: number;
  readonly cell_id: number | null;
}

type Members = Readonly<Record<string, unknown>>;

/** The members that a device gets: in another region, it is in no cell, unless one is given. */
export const withoutFormerCell = (members: Members): Members =>
  'region_id' in members && !('cell_id' in members) ? { ...members, cell_id: null } : members;

/** Said when only the region of a device in a cell is entered. */
export const LEAVES_CELL = 'It leaves its cell, unless you enter one of this region, too.';

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
    const leaving = to.cell_id === null ? 'Devices that are in a cell leave it and will be in no cell. ' : '';
    return `${leaving}Devices below them stay where they are, unless they are selected, too.`;
  }
  if (from.region_id === to.region_id && from.cell_id === to.cell_id) return undefined;
  const leaving =
    from.cell_id !== null && to.cell_id === null
      ? `The device leaves cell ${cellTitle(from.cell_id)} and will be in no cell. `
      : '';
  return `${leaving}Devices below it stay where they are.`;
}
