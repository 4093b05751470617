import type { WriteResult } from '../core/change-preview';
import { Injectable } from '@nestjs/common';
import { assertCanWrite } from '../auth/access';
import type { ChangeSet } from '../changes/change-set';
import { ChangesService } from '../changes/changes.service';
import { cloudShape } from '../clouds/cloud';
import { LabelAssignments } from '../labels/label-assignments';
import type { RequestContext } from '../core/context/request-context';
import type { Precondition } from '../http/preconditions';
import { assertCanWriteBody, assertCanWriteVariablesOf } from '../resources/body-members';
import type { ResourceCreation } from '../resources/creation.service';
import { ResourceReader, type RenderedResource } from '../resources/resource-reader';
import { Region, regionLabels, regions, regionShape, type CreateRegion, type UpdateRegion } from './region';

/**
 * Moves cells for `RegionsService`. The folders `cells` and `devices` import `regions`, so `regions` cannot import
 * them: the implementation registers itself here.
 */
@Injectable()
export class CellMoverRegistry {
  private mover: CellMover | undefined;

  register(mover: CellMover): void {
    this.mover = mover;
  }

  async move(...move: Parameters<CellMover['move']>): Promise<void> {
    if (!this.mover) throw new Error('no cell mover is registered');
    await this.mover.move(...move);
  }
}

@Injectable()
export class RegionsService {
  constructor(
    private readonly changes: ChangesService,
    private readonly labels: LabelAssignments,
    private readonly cells: CellMoverRegistry,
    private readonly reader: ResourceReader,
  ) {}

  /** @throws InventoryError 403 for a private variable, 405 if the cloud does not exist, 409 if the name is taken */
  prepareCreate(ctx: RequestContext, body: CreateRegion): ResourceCreation {
    assertCanWriteVariablesOf(ctx, regionShape.collection, body);
    const { labels, ...members } = body;
    const { cloud_id, note } = members;
    const { projectId } = ctx;
    const create = async (change: ChangeSet) => {
      await this.lockCloud(change, projectId, cloud_id);
      const id = await change.insert(regionShape, Region, { ...members, project_id: projectId });
      if (labels) await this.labels.replace(change, regionLabels, { projectId, id }, labels);
      return this.reader.showWritten(ctx, regions, id, change.tx);
    };
    return { note, create };
  }

  /** @throws InventoryError 403, 404, 405 if the cloud or a cell does not exist, 409, 412 */
  async update(
    ctx: RequestContext,
    id: number,
    body: UpdateRegion,
    precondition: Precondition,
  ): Promise<WriteResult<RenderedResource>> {
    assertCanWriteBody(ctx, regionShape.collection, body);
    if (body.cells) assertCanWrite(ctx.principal, 'cells');
    const { variables, labels, cells, ...members } = body;
    const { cloud_id, note } = members;
    return this.changes.write(ctx, note, async (change) => {
      const region = await change.lock(regionShape, id, precondition);
      await this.lockCloud(change, region.projectId, cloud_id);
      // The cells are moved first, so that a read at the region's `updated_at` includes their move.
      if (cells) await this.cells.move(change, region.projectId, region.id, cells);
      await change.update(region, Region, members, variables && { merge: variables });
      if (labels) await this.labels.replace(change, regionLabels, region, labels);
      return this.reader.showWritten(ctx, regions, id, change.tx);
    });
  }

  /** @throws InventoryError 404, 409 if it has cells or devices, 412 */
  async delete(ctx: RequestContext, id: number, precondition: Precondition): Promise<WriteResult<void>> {
    return this.changes.delete(ctx, regionShape, id, precondition);
  }

  private async lockCloud(
    change: ChangeSet,
    projectId: string,
    id: number | null | undefined,
  ): Promise<void> {
    if (id !== undefined && id !== null) await change.lockReference('cloud_id', cloudShape, projectId, id);
  }
}

/** Moves cells and their devices into a region. */
export interface CellMover {
  /** @throws InventoryError 405 if a cell does not exist */
  move(change: ChangeSet, projectId: string, regionId: number, cellIds: readonly number[]): Promise<void>;
}
