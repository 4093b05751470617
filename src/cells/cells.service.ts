import { Injectable } from '@nestjs/common';
import type { ChangeSet } from '../changes/change-set';
import { lockReferences } from '../changes/references';
import { deletion, type Operation } from '../changes/operation';
import { LabelAssignments } from '../labels/label-assignments';
import { regionMapping } from '../regions/region.entity';
import type { RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors';
import type { Precondition } from '../http/preconditions';
import { sql } from '../database/sql';
import { assertCanWriteBody, assertCanWriteVariablesOf } from '../resources/body-members';
import { ResourceReader, type RenderedResource } from '../resources/resource-reader';
import { Cell, cellLabels, cells, cellMapping } from './cell.entity';
import type { CreateCell, UpdateCell } from './cell.dto';

@Injectable()
export class CellsService {
  constructor(
    private readonly labels: LabelAssignments,
    private readonly reader: ResourceReader,
  ) {}

  /** @throws InventoryError 403 for a private variable, 405 if the region does not exist, 409 if the name is taken */
  prepareCreate(ctx: RequestContext, body: CreateCell): Operation<RenderedResource> {
    assertCanWriteVariablesOf(ctx, cellMapping.collection, body);
    const { labels, ...members } = body;
    const { region_id, note } = members;
    const { projectId } = ctx;
    const run = async (change: ChangeSet) => {
      await lockReferences(change.tx, projectId, [
        { field: 'region_id', mapping: regionMapping, id: region_id },
      ]);
      const id = await change.insert(cellMapping, Cell, { ...members, project_id: projectId });
      if (labels) await this.labels.replace(change, cellLabels, { projectId, id }, labels);
      return this.reader.showWritten(ctx, cells, id, change.tx);
    };
    return { note, run };
  }

  /** @throws InventoryError 403, 404, 405 for another region, 409, 412 */
  prepareUpdate(
    ctx: RequestContext,
    id: number,
    body: UpdateCell,
    precondition: Precondition,
  ): Operation<RenderedResource> {
    assertCanWriteBody(ctx, cellMapping.collection, body);
    const { variables, labels, region_id, ...members } = body;
    const { note } = members;
    const run = async (change: ChangeSet) => {
      const cell = await change.lock(cellMapping, id, precondition);
      if (region_id !== undefined) {
        const [current] = await change.tx.rows(sql`SELECT FROM cells t
          WHERE t.project_id = ${cell.projectId} AND t.id = ${cell.id} AND t.region_id = ${region_id}`);
        if (!current)
          throw InventoryError.validationException(
            'region_id',
            'inconsistent',
            'must be the current region of the cell: to move a cell, use `cells` of PUT /v1/regions/{id}',
          );
      }
      await change.update(cell, Cell, members, variables && { merge: variables });
      if (labels) await this.labels.replace(change, cellLabels, cell, labels);
      return this.reader.showWritten(ctx, cells, id, change.tx);
    };
    return { note, run };
  }

  /** @throws InventoryError 404, 409 if it has devices, 412 */
  prepareDelete(_ctx: RequestContext, id: number, precondition: Precondition): Operation<void> {
    return deletion(cellMapping, id, precondition);
  }
}
