import type { WriteResult } from '../core/change-preview';
import { Injectable } from '@nestjs/common';
import { assertCanWrite } from '../auth/access';
import type { ChangeSet } from '../changes/change-set';
import { ChangesService } from '../changes/changes.service';
import { cloudShape } from '../clouds/cloud';
import { LabelAssignments } from '../labels/label-assignments';
import type { RequestContext } from '../core/context/request-context';
import type { Precondition } from '../http/etag';
import { requireBodyWrite, requireVariablesOfBody } from '../resources/body-members';
import type { ResourceCreation } from '../resources/resource-creation';
import { ResourceReader, type RenderedResource } from '../resources/resource-reader';
import { CellMoves } from './cell-moves';
import { Region, regionLabels, regions, regionShape } from './region';
import type { CreateRegion, UpdateRegion } from './region.dto';

@Injectable()
export class RegionsService {
  constructor(
    private readonly changes: ChangesService,
    private readonly labels: LabelAssignments,
    private readonly cells: CellMoves,
    private readonly reader: ResourceReader,
  ) {}

  /** @throws InventoryError 403 for a private variable, 405 for a cloud that is not there, 409 for a name that is taken */
  creation(ctx: RequestContext, body: CreateRegion): ResourceCreation {
    requireVariablesOfBody(ctx, regionShape.collection, body);
    const { name, cloud_id, note, variables, labels } = body;
    const { projectId } = ctx;
    const make = async (change: ChangeSet) => {
      await this.requireCloud(change, projectId, cloud_id);
      const values = { project_id: projectId, name, cloud_id, note, variables };
      const id = await change.insert(regionShape, Region, values);
      if (labels) await this.labels.replace(change, regionLabels, { projectId, id }, labels);
      return this.reader.showWritten(ctx, regions, id, change.tx);
    };
    return { note, create: make };
  }

  /** @throws InventoryError 403, 404, 405 for a cloud or cell that is not there, 409, 412 */
  async update(
    ctx: RequestContext,
    id: number,
    body: UpdateRegion,
    precondition: Precondition,
  ): Promise<WriteResult<RenderedResource>> {
    requireBodyWrite(ctx, regionShape.collection, body);
    if (body.cells) assertCanWrite(ctx.principal, 'cells');
    const { name, cloud_id, note, variables, labels, cells } = body;
    return this.changes.write(ctx, note, async (change) => {
      const region = await change.lock(regionShape, id, precondition);
      await this.requireCloud(change, region.projectId, cloud_id);
      // First, so that the region bears the time of the cells: of a moment between them, half of it would be shown.
      if (cells) await this.cells.move(change, region.projectId, region.id, cells);
      await change.update(region, Region, { name, cloud_id, note }, variables && { merge: variables });
      if (labels) await this.labels.replace(change, regionLabels, region, labels);
      return this.reader.showWritten(ctx, regions, id, change.tx);
    });
  }

  /** @throws InventoryError 404, 409 naming its cells and devices, 412 */
  async delete(ctx: RequestContext, id: number, precondition: Precondition): Promise<WriteResult<void>> {
    return this.changes.write(ctx, undefined, async (change) => {
      const region = await change.lockForDelete(regionShape, id, precondition);
      await this.labels.replace(change, regionLabels, region, []);
      await change.delete(region);
    });
  }

  private async requireCloud(
    change: ChangeSet,
    projectId: string,
    id: number | null | undefined,
  ): Promise<void> {
    if (id !== undefined && id !== null) await change.lockReference('cloud_id', cloudShape, projectId, id);
  }
}
