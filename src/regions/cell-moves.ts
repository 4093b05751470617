import { Injectable } from '@nestjs/common';
import type { ChangeSet } from '../changes/change-set';

/** Moves cells and their devices into a region. */
export interface CellMover {
  /** @throws InventoryError 405 if a cell does not exist */
  move(change: ChangeSet, projectId: string, regionId: number, cellIds: readonly number[]): Promise<void>;
}

/**
 * Moves cells for `RegionsService`. The folders `cells` and `devices` import `regions`, so `regions` cannot import
 * them: the implementation registers itself here.
 */
@Injectable()
export class CellMoves {
  private mover: CellMover | undefined;

  register(mover: CellMover): void {
    this.mover = mover;
  }

  async move(...move: Parameters<CellMover['move']>): Promise<void> {
    if (!this.mover) throw new Error('no cell mover is registered');
    await this.mover.move(...move);
  }
}
