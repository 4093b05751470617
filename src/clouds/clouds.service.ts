import type { WriteResult } from '../core/change-preview';
import { Injectable } from '@nestjs/common';
import type { ChangeSet } from '../changes/change-set';
import { ChangesService } from '../changes/changes.service';
import type { RequestContext } from '../core/context/request-context';
import type { Precondition } from '../http/preconditions';
import type { ResourceCreation } from '../resources/creation.service';
import { ResourceReader, type RenderedResource } from '../resources/resource-reader';
import { Cloud, clouds, cloudShape, type CreateCloud, type UpdateCloud } from './cloud';

@Injectable()
export class CloudsService {
  constructor(
    private readonly changes: ChangesService,
    private readonly reader: ResourceReader,
  ) {}

  /** @throws InventoryError 409 if the project has a cloud of this name */
  prepareCreate(ctx: RequestContext, { ...members }: CreateCloud): ResourceCreation {
    const create = async (change: ChangeSet) => {
      const id = await change.insert(cloudShape, Cloud, { ...members, project_id: ctx.projectId });
      return this.reader.showWritten(ctx, clouds, id, change.tx);
    };
    return { note: members.note, create };
  }

  /** @throws InventoryError 404, 409, 412 */
  async update(
    ctx: RequestContext,
    id: number,
    body: UpdateCloud,
    precondition: Precondition,
  ): Promise<WriteResult<RenderedResource>> {
    return this.changes.write(ctx, body.note, async (change) => {
      const cloud = await change.lock(cloudShape, id, precondition);
      await change.update(cloud, Cloud, body);
      return this.reader.showWritten(ctx, clouds, id, change.tx);
    });
  }

  /** @throws InventoryError 404, 409 if it has regions, 412 */
  async delete(ctx: RequestContext, id: number, precondition: Precondition): Promise<WriteResult<void>> {
    return this.changes.delete(ctx, cloudShape, id, precondition);
  }
}
