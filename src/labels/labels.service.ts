import { Injectable } from '@nestjs/common';
import type { ChangeSet } from '../changes/change-set';
import { deletion, type Operation } from '../changes/operation';
import type { RequestContext } from '../core/context/request-context';
import type { Precondition } from '../http/preconditions';
import { assertCanWriteBody, assertCanWriteVariablesOf } from '../resources/body-members';
import { ResourceReader, type RenderedResource } from '../resources/resource-reader';
import { Label, labels, labelMapping } from './label.entity';
import type { CreateLabel, UpdateLabel } from './label.dto';

@Injectable()
export class LabelsService {
  constructor(private readonly reader: ResourceReader) {}

  /** @throws InventoryError 403 for a private variable, 409 if the project has a label of this name */
  prepareCreate(ctx: RequestContext, body: CreateLabel): Operation<RenderedResource> {
    assertCanWriteVariablesOf(ctx, labelMapping.collection, body);
    const { label, variables } = body;
    const run = async (change: ChangeSet) => {
      const id = await change.insert(labelMapping, Label, { project_id: ctx.projectId, label, variables });
      return this.reader.showWritten(ctx, labels, id, change.tx);
    };
    return { run };
  }

  /** @throws InventoryError 403, 404, 409, 412 */
  prepareUpdate(
    ctx: RequestContext,
    id: number,
    body: UpdateLabel,
    precondition: Precondition,
  ): Operation<RenderedResource> {
    assertCanWriteBody(ctx, labelMapping.collection, body);
    const run = async (change: ChangeSet) => {
      const label = await change.lock(labelMapping, id, precondition);
      await change.update(label, Label, { label: body.label }, body.variables && { merge: body.variables });
      return this.reader.showWritten(ctx, labels, id, change.tx);
    };
    return { run };
  }

  /** @throws InventoryError 404, 409 if it is assigned to a resource, 412 */
  prepareDelete(_ctx: RequestContext, id: number, precondition: Precondition): Operation<void> {
    return deletion(labelMapping, id, precondition);
  }
}
