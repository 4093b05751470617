import type { WriteResult } from '../core/change-preview';
import { Injectable } from '@nestjs/common';
import type { ChangeSet } from '../changes/change-set';
import { ChangesService } from '../changes/changes.service';
import type { RequestContext } from '../core/context/request-context';
import type { Precondition } from '../http/preconditions';
import { assertCanWriteBody, assertCanWriteVariablesOf } from '../resources/body-members';
import type { ResourceCreation } from '../resources/creation.service';
import { ResourceReader, type RenderedResource } from '../resources/resource-reader';
import { Label, labels, labelShape, type CreateLabel, type UpdateLabel } from './label';

@Injectable()
export class LabelsService {
  constructor(
    private readonly changes: ChangesService,
    private readonly reader: ResourceReader,
  ) {}

  /** @throws InventoryError 403 for a private variable, 409 if the project has a label of this name */
  prepareCreate(ctx: RequestContext, body: CreateLabel): ResourceCreation {
    assertCanWriteVariablesOf(ctx, labelShape.collection, body);
    const { label, variables } = body;
    const create = async (change: ChangeSet) => {
      const id = await change.insert(labelShape, Label, { project_id: ctx.projectId, label, variables });
      return this.reader.showWritten(ctx, labels, id, change.tx);
    };
    return { create };
  }

  /** @throws InventoryError 403, 404, 409, 412 */
  async update(
    ctx: RequestContext,
    id: number,
    body: UpdateLabel,
    precondition: Precondition,
  ): Promise<WriteResult<RenderedResource>> {
    assertCanWriteBody(ctx, labelShape.collection, body);
    return this.changes.write(ctx, undefined, async (change) => {
      const label = await change.lock(labelShape, id, precondition);
      await change.update(label, Label, { label: body.label }, body.variables && { merge: body.variables });
      return this.reader.showWritten(ctx, labels, id, change.tx);
    });
  }

  /** @throws InventoryError 404, 409 if it is assigned to a resource, 412 */
  async delete(ctx: RequestContext, id: number, precondition: Precondition): Promise<WriteResult<void>> {
    return this.changes.delete(ctx, labelShape, id, precondition);
  }
}
