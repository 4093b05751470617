import { Injectable } from '@nestjs/common';
import type { ChangeSet } from '../changes/change-set';

/** Moves cells, with what is in them, into a region. */
export interface CellMover {
  /** @throws InventoryError 405 if one of them is not there */
  move(change: ChangeSet, projectId: string, regionId: number, cellIds: readonly number[]): Promise<void>;
}

/**
 * Regions know that cells can be moved into them, but not what a cell and a device are: those who do, which come
 * later in the order of imports, take the part here.
 */
@Injectable()
export class CellMoves {
  private mover: CellMover | undefined;

  take(mover: CellMover): void {
    this.mover = mover;
  }

  async move(...move: Parameters<CellMover['move']>): Promise<void> {
    if (!this.mover) throw new Error('nobody moves cells');
    await this.mover.move(...move);
  }
}
