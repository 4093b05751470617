import { Injectable } from '@nestjs/common';
import type { ChangeSet } from '../changes/change-set';
import { deletion, type Operation } from '../changes/operation';
import type { RequestContext } from '../core/context/request-context';
import type { Precondition } from '../http/preconditions';
import { ResourceReader, type RenderedResource } from '../resources/resource-reader';
import type { CreateSavedView, UpdateSavedView } from './saved-view.dto';
import { SavedView, viewMapping, views } from './saved-view.entity';

/** Saved views. What their addresses mean is known by the explorer alone. */
@Injectable()
export class ViewsService {
  constructor(private readonly reader: ResourceReader) {}

  /** @throws InventoryError 409 if the project has a view of this name */
  prepareCreate(ctx: RequestContext, { ...members }: CreateSavedView): Operation<RenderedResource> {
    const run = async (change: ChangeSet) => {
      const id = await change.insert(viewMapping, SavedView, { ...members, project_id: ctx.projectId });
      return this.reader.showWritten(ctx, views, id, change.tx);
    };
    return { run };
  }

  /** @throws InventoryError 404, 409, 412 */
  prepareUpdate(
    ctx: RequestContext,
    id: number,
    body: UpdateSavedView,
    precondition: Precondition,
  ): Operation<RenderedResource> {
    const run = async (change: ChangeSet) => {
      const view = await change.lock(viewMapping, id, precondition);
      await change.update(view, SavedView, body);
      return this.reader.showWritten(ctx, views, id, change.tx);
    };
    return { run };
  }

  /** @throws InventoryError 404, 412 */
  prepareDelete(_ctx: RequestContext, id: number, precondition: Precondition): Operation<void> {
    return deletion(viewMapping, id, precondition);
  }
}
