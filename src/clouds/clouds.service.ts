import { Injectable } from '@nestjs/common';
import type { ChangeSet } from '../changes/change-set';
import { deletion, type Operation } from '../changes/operation';
import type { RequestContext } from '../core/context/request-context';
import type { Precondition } from '../http/preconditions';
import { ResourceReader, type RenderedResource } from '../resources/resource-reader';
import { Cloud, clouds, cloudMapping } from './cloud.entity';
import type { CreateCloud, UpdateCloud } from './cloud.dto';

@Injectable()
export class CloudsService {
  constructor(private readonly reader: ResourceReader) {}

  /** @throws InventoryError 409 if the project has a cloud of this name */
  prepareCreate(ctx: RequestContext, { ...members }: CreateCloud): Operation<RenderedResource> {
    const run = async (change: ChangeSet) => {
      const id = await change.insert(cloudMapping, Cloud, { ...members, project_id: ctx.projectId });
      return this.reader.showWritten(ctx, clouds, id, change.tx);
    };
    return { note: members.note, run };
  }

  /** @throws InventoryError 404, 409, 412 */
  prepareUpdate(
    ctx: RequestContext,
    id: number,
    body: UpdateCloud,
    precondition: Precondition,
  ): Operation<RenderedResource> {
    const run = async (change: ChangeSet) => {
      const cloud = await change.lock(cloudMapping, id, precondition);
      await change.update(cloud, Cloud, body);
      return this.reader.showWritten(ctx, clouds, id, change.tx);
    };
    return { note: body.note, run };
  }

  /** @throws InventoryError 404, 409 if it has regions, 412 */
  prepareDelete(_ctx: RequestContext, id: number, precondition: Precondition): Operation<void> {
    return deletion(cloudMapping, id, precondition);
  }
}
