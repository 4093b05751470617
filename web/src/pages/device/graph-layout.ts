import type { DeviceCollection } from '../../api/kinds';

/** The devices that the graph draws, without ancestors. */
export const MAX_NODES = 200;
/** The children that it draws of each device. */
export const MAX_CHILDREN = 50;

export interface GraphDevice {
  readonly collection: DeviceCollection;
  readonly id: number;
  readonly name: string;
  readonly device_type: string;
  readonly active: boolean;
}

/** Children of a device. */
export interface Children {
  /** The first ones, or all. */
  readonly devices: readonly GraphDevice[];
  readonly total: number;
}

/** A position in the graph. Columns and rows are counted from 0. */
export interface GridPosition {
  readonly column: number;
  readonly row: number;
}

export interface DeviceNode extends GridPosition {
  readonly device: GraphDevice;
  readonly children: readonly DeviceNode[];
  /** The position of the link to the children that are not drawn. */
  readonly more: (GridPosition & { readonly count: number }) | undefined;
}

/**
 * Lays out a device and its descendants from left to right. The first child is in the row of its parent, so that a device with
 * many children is beside the first of them.
 * @param known the children of the devices whose children are drawn
 * @param column the column of the device
 */
export function layOut(
  device: GraphDevice,
  known: ReadonlyMap<number, Children>,
  column: number,
): DeviceNode {
  const drawn = drawnChildren(device.id, known);
  let row = 0;
  const position = (positioned: GraphDevice, inColumn: number): DeviceNode => {
    const own = { column: inColumn, row };
    const shown = drawn.get(positioned.id) ?? [];
    const children = shown.map((child, i) => {
      if (i > 0) row++;
      return position(child, inColumn + 1);
    });
    const count = (known.get(positioned.id)?.total ?? 0) - shown.length;
    if (count > 0 && shown.length > 0) row++;
    return {
      ...own,
      device: positioned,
      children,
      more: count > 0 ? { column: inColumn + 1, row, count } : undefined,
    };
  };
  return position(device, column);
}

/** The drawn children by parent, level by level: if there are too many devices, the deepest are not drawn. */
function drawnChildren(
  root: number,
  known: ReadonlyMap<number, Children>,
): ReadonlyMap<number, readonly GraphDevice[]> {
  const drawn = new Map<number, readonly GraphDevice[]>();
  let room = MAX_NODES - 1;
  const parents = [root];
  for (const parent of parents) {
    const shown = (known.get(parent)?.devices ?? []).slice(0, Math.min(MAX_CHILDREN, room));
    room -= shown.length;
    drawn.set(parent, shown);
    parents.push(...shown.map(({ id }) => id));
  }
  return drawn;
}

/** A node and all below it, from top to bottom. */
export const nodesOf = (node: DeviceNode): DeviceNode[] => [node, ...node.children.flatMap(nodesOf)];
