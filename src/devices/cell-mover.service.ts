import { Injectable } from '@nestjs/common';
import { cellMapping } from '../cells/cell.entity';
import type { ChangeSet } from '../changes/change-set';
import { InventoryError } from '../core/errors';
import { arrayParameter, sql } from '../database/sql';
import type { CellMover } from '../regions/cell-mover';
import { deviceKinds } from './device-kinds';

/** Moves cells into another region, together with their devices. */
@Injectable()
export class CellMoverService implements CellMover {
  async move(
    change: ChangeSet,
    projectId: string,
    regionId: number,
    cellIds: readonly number[],
  ): Promise<void> {
    const wanted = [...new Set(cellIds)];
    const ids = sql`${arrayParameter(wanted)}::bigint[]`;
    const known = await change.tx.rows<{ id: number; region_id: number }>(
      sql`SELECT t.id, t.region_id FROM cells t WHERE t.project_id = ${projectId} AND t.id = ANY(${ids})
        ORDER BY t.id FOR UPDATE`,
    );
    const missing = wanted.find((id) => !known.some((cell) => cell.id === id));
    if (missing !== undefined)
      throw InventoryError.validationException(
        'cells',
        'not_found',
        `there is no cell ${String(missing)} in this project`,
      );
    const moving = known.filter((cell) => cell.region_id !== regionId).map((cell) => cell.id);
    if (moving.length === 0) return;
    const cells = sql`${arrayParameter(moving)}::bigint[]`;
    await change.lockAll(cellMapping, projectId, sql`t.id = ANY(${cells})`);
    for (const { mapping } of deviceKinds)
      await change.lockAll(mapping, projectId, sql`t.cell_id = ANY(${cells})`);
    // One statement, because a foreign key requires that a device and its cell are in the same region.
    await change.tx.execute(sql`
      WITH moved AS (
        UPDATE cells SET region_id = ${regionId}, ${change.nextVersion}
        WHERE project_id = ${projectId} AND id = ANY(${cells})
      )
      UPDATE devices SET region_id = ${regionId}, ${change.nextVersion}
      WHERE project_id = ${projectId} AND cell_id = ANY(${cells})`);
  }
}
