import { Controller, Get, Param, Req, type Type } from '@nestjs/common';
import { ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { listResponse, ListUrlParam } from '../http/list-response';
import type { ListUrl } from '../list/list-page';
import { READ_HISTORY, type RouteAccess, Access, Ctx } from '../auth/access';
import type { ProjectScope, RequestContext } from '../core/context/request-context';
import { JsonResponse } from '../http/response';
import { ProjectIdPipe, ResourceIdPipe } from '../http/resource-id';
import { ResourceReader } from '../resources/resource-reader';
import {
  ApiId,
  ApiListResponse,
  type Collection,
  ListRoute,
  named,
  ShowRoute,
} from '../resources/resource-routes';
import {
  changeRecord,
  changeRecords,
  changeRecordsOf,
  ChangeRecordView,
  isResource,
  resourceBranch,
} from './change-record';
import { ChangedObjectView } from '../resources/change.view';
import { ApiListNames, ApiProjectId, ApiSelection } from '../resources/api-parameters';
import { ApiErrors } from '../http/api-errors';
import { TakesQuery } from '../http/query.guard';
import { INTERVAL_COUNT, ChangeCountsService, ChangeCountsView } from './change-counts.service';
import { ChangeObjectsService, changeObjectParameters } from './change-objects.service';
import { InventoryError } from '../core/errors';
import { Database } from '../database/database';
import { sql } from '../database/sql';
import { membersStatement } from '../list/page-statements';
import { scopeOfRecords } from '../database/resource-scope';
import type { ResourceShape } from '../database/resource-shape';
import { canSeeObject } from './visible-change';

const collection: Collection = {
  definition: changeRecords,
  view: ChangeRecordView,
  reads: READ_HISTORY,
  writes: READ_HISTORY,
};

/** Change records are read-only. `ChangesService` runs the writes, each of which stores its own record. */
@ApiTags('changes')
@Controller('v1/changes')
export class ChangesController {
  constructor(
    private readonly reader: ResourceReader,
    private readonly counts: ChangeCountsService,
  ) {}

  @ListRoute(collection)
  async list(@Ctx() ctx: RequestContext, @ListUrlParam() url: ListUrl) {
    return listResponse(await this.reader.list(ctx, changeRecords, url));
  }

  // Before `show`, whose route /v1/changes/:id would match.
  @Get('counts')
  @TakesQuery()
  @Access(READ_HISTORY)
  @ApiOperation({ summary: 'Count changes in equally long intervals of time' })
  @ApiQuery({
    name: 'intervals',
    required: false,
    description:
      'The number of intervals. They reach from `since` to `until`; without these filters, from the oldest to the newest matching change.',
    schema: {
      type: 'integer',
      minimum: INTERVAL_COUNT.min,
      maximum: INTERVAL_COUNT.max,
      default: INTERVAL_COUNT.default,
      example: 24,
    },
  })
  @ApiSelection(changeRecords)
  @ApiProjectId(
    'The project whose changes are counted. The default is the project of the request, also for a root user.',
  )
  @ApiResponse({ status: 200, description: 'The numbers of changes.', type: ChangeCountsView })
  @ApiErrors(400, 401, 403, 404)
  async count(@Ctx() ctx: RequestContext, @Req() request: Request): Promise<JsonResponse> {
    return JsonResponse.ok(JSON.stringify(await this.counts.count(ctx, request.query)));
  }

  @ShowRoute(collection)
  async show(
    @Ctx() ctx: RequestContext,
    @Param('id', new ResourceIdPipe(changeRecords.shape)) id: number,
    @Req() request: Request,
  ) {
    // No entity tag: records are immutable.
    return JsonResponse.ok((await this.reader.show(ctx, changeRecord, id, request.query)).body);
  }
}

@ApiTags('changes')
@Controller('v1/changes/:id/objects')
export class ChangeObjectsController {
  constructor(private readonly objects: ChangeObjectsService) {}

  @Get()
  @TakesQuery()
  @Access(READ_HISTORY)
  @ApiOperation({ summary: 'List all objects of a change, in the order in which the change touched them' })
  @ApiId(changeRecords.shape)
  @ApiListNames(changeObjectParameters, {
    description: 'The marker from a link of this list.',
    example: '999',
  })
  @ApiListResponse(ChangedObjectView)
  @ApiErrors(400, 401, 404)
  async list(
    @Ctx() ctx: RequestContext,
    @Param('id', new ResourceIdPipe(changeRecords.shape)) id: number,
    @ListUrlParam() url: ListUrl,
  ) {
    return listResponse(await this.objects.list(ctx, id, url));
  }
}

/** The route `{collection}/{id}/changes`: the history of one resource, even after the resource was deleted. */
export function resourceChangesController(shape: ResourceShape, reads: RouteAccess): Type {
  const collection: Collection = { definition: changeRecords, view: ChangeRecordView, reads, writes: reads };
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
      @ListUrlParam() url: ListUrl,
    ) {
      const scope = await scopeOfRecords(ctx, shape, id, this.database.reader(ctx));
      const page = await this.reader.list(
        ctx,
        changeRecordsOf(isResource(shape, id)),
        url,
        resourceBranch(shape, id),
        scope,
      );
      await this.assertHasHistory(ctx, id, scope);
      return listResponse(page);
    }

    /** Every resource that the caller can see, or could see, has at least the record of its creation. */
    private async assertHasHistory(
      ctx: RequestContext,
      id: number | string,
      scope: ProjectScope,
    ): Promise<void> {
      const request = {
        shape: changeRecords.shape,
        scope,
        conditions: shape.referencedVariableKeys ? [canSeeObject(ctx)] : [],
        branches: [resourceBranch(shape, id)],
      };
      const [record] = await this.database
        .reader(ctx)
        .rows(sql`${membersStatement(request, sql`t.id`)} LIMIT 1`);
      if (!record) throw InventoryError.notFound(shape.kind, id);
    }
  }
  return named(ResourceChangesController, `${shape.kind} changes`);
}
