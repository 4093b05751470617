import type { ChangeSet } from '../changes/change-set';

/** Moves cells and their devices into a region. */
export interface CellMover {
  /** @throws InventoryError 405 if a cell does not exist */
  move(change: ChangeSet, projectId: string, regionId: number, cellIds: readonly number[]): Promise<void>;
}

/** The token of the `CellMover`. It moves devices, too, so it is above this folder: see `AppModule`. */
export const CELL_MOVER = Symbol('cell mover');
