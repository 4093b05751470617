import { Inject, Injectable } from '@nestjs/common';
import { assertCanWrite } from '../auth/access';
import type { ChangeSet } from '../changes/change-set';
import { lockReferences } from '../changes/references';
import { deletion, type Operation } from '../changes/operation';
import { cloudMapping } from '../clouds/cloud.entity';
import { LabelAssignments } from '../labels/label-assignments';
import type { RequestContext } from '../core/context/request-context';
import type { Precondition } from '../http/preconditions';
import { assertCanWriteBody, assertCanWriteVariablesOf } from '../resources/body-members';
import { ResourceReader, type RenderedResource } from '../resources/resource-reader';
import { CELL_MOVER, type CellMover } from './cell-mover';
import { Region, regionLabels, regions, regionMapping } from './region.entity';
import type { CreateRegion, UpdateRegion } from './region.dto';

@Injectable()
export class RegionsService {
  constructor(
    private readonly labels: LabelAssignments,
    @Inject(CELL_MOVER) private readonly cells: CellMover,
    private readonly reader: ResourceReader,
  ) {}

  /** @throws InventoryError 403 for a private variable, 405 if the cloud does not exist, 409 if the name is taken */
  prepareCreate(ctx: RequestContext, body: CreateRegion): Operation<RenderedResource> {
    assertCanWriteVariablesOf(ctx, regionMapping.collection, body);
    const { labels, ...members } = body;
    const { cloud_id, note } = members;
    const { projectId } = ctx;
    const run = async (change: ChangeSet) => {
      await this.lockCloud(change, projectId, cloud_id);
      const id = await change.insert(regionMapping, Region, { ...members, project_id: projectId });
      if (labels) await this.labels.replace(change, regionLabels, { projectId, id }, labels);
      return this.reader.showWritten(ctx, regions, id, change.tx);
    };
    return { note, run };
  }

  /** @throws InventoryError 403, 404, 405 if the cloud or a cell does not exist, 409, 412 */
  prepareUpdate(
    ctx: RequestContext,
    id: number,
    body: UpdateRegion,
    precondition: Precondition,
  ): Operation<RenderedResource> {
    assertCanWriteBody(ctx, regionMapping.collection, body);
    if (body.cells) assertCanWrite(ctx.principal, 'cells');
    const { variables, labels, cells, ...members } = body;
    const { cloud_id, note } = members;
    const run = async (change: ChangeSet) => {
      const region = await change.lock(regionMapping, id, precondition);
      await this.lockCloud(change, region.projectId, cloud_id);
      // The cells are moved first, so that a read at the region's `updated_at` includes their move.
      if (cells) await this.cells.move(change, region.projectId, region.id, cells);
      await change.update(region, Region, members, variables && { merge: variables });
      if (labels) await this.labels.replace(change, regionLabels, region, labels);
      return this.reader.showWritten(ctx, regions, id, change.tx);
    };
    return { note, run };
  }

  /** @throws InventoryError 404, 409 if it has cells or devices, 412 */
  prepareDelete(_ctx: RequestContext, id: number, precondition: Precondition): Operation<void> {
    return deletion(regionMapping, id, precondition);
  }

  private async lockCloud(
    change: ChangeSet,
    projectId: string,
    id: number | null | undefined,
  ): Promise<void> {
    if (id !== undefined && id !== null)
      await lockReferences(change.tx, projectId, [{ field: 'cloud_id', mapping: cloudMapping, id }]);
  }
}
