import { Controller, Param, Req, type Type } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import type { RouteAccess } from '../auth/access';
import { Ctx } from '../auth/access.decorators';
import { visibleProjects, type RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors/inventory-error';
import { ProjectIdPipe, ResourceIdPipe } from '../http/resource-id';
import { Database } from '../database/database';
import { sql } from '../database/sql';
import { from, inScope } from '../database/resource-sql';
import type { ResourceShape } from '../database/resource-shape';
import { ResourceReader } from '../resources/resource-reader';
import { ListRoute, type Collection, named } from '../resources/resource-routes';
import { isResource, touching } from './change-filters';
import { changeRecords, changeRecordsOf, ChangeRecordView } from './change-record';
import { seesObject } from './visible-change';

/** The route `{collection}/{id}/changes`: the history of one resource, even after the resource was deleted. */
export function resourceChangesController(shape: ResourceShape, reads: RouteAccess): Type {
  const collection: Collection = { listing: changeRecords, view: ChangeRecordView, reads, writes: reads };
  const idPipe = shape.idType === 'uuid' ? ProjectIdPipe : new ResourceIdPipe(shape);

  @ApiTags('changes')
  @Controller(`v1/${shape.collection}/:id/changes`)
  class ResourceChangesController {
    constructor(
      private readonly reader: ResourceReader,
      private readonly database: Database,
    ) {}

    @ListRoute(collection, shape)
    async list(
      @Ctx() ctx: RequestContext,
      @Param('id', idPipe) id: number | string,
      @Req() request: Request,
    ) {
      const answer = await this.reader.list(
        ctx,
        changeRecordsOf(isResource(shape, id)),
        request,
        touching(shape, id),
      );
      await this.assertHasHistory(ctx, id);
      return answer;
    }

    /** Every resource that the caller can see, or could see, has at least the record of its creation. */
    private async assertHasHistory(ctx: RequestContext, id: number | string): Promise<void> {
      const isInScope = inScope(changeRecords.shape, visibleProjects(ctx));
      const { join, where } = touching(shape, id);
      const isVisible = shape.namesKeys ? sql`AND ${seesObject(ctx)}` : sql``;
      const [record] = await this.database
        .reading(ctx)
        .rows(
          sql`SELECT ${from(changeRecords.shape)} ${join ?? sql``} WHERE ${isInScope} AND ${where} ${isVisible} LIMIT 1`,
        );
      if (!record) throw InventoryError.notFound(shape.kind, id);
    }
  }
  return named(ResourceChangesController, `${shape.kind} changes`);
}
