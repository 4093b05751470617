import { Controller, Get, Param, Req } from '@nestjs/common';
import { ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { listResponse, ListUrlParam } from '../http/list-response';
import type { ListUrl } from '../lists/list-page';
import { READ_HISTORY, Access, Ctx } from '../auth/access';
import type { RequestContext } from '../core/context/request-context';
import { JsonResponse } from '../http/response';
import { ResourceIdPipe } from '../http/resource-id';
import { ResourceReader } from '../resources/resource-reader';
import { type RouteOptions, ListRoute, ShowRoute } from '../resources/resource-routes';
import { changeRecord, changeRecords, ChangeRecordView } from './change-record';
import { ApiProjectId, ApiSelection } from '../resources/api-parameters';
import { ApiErrors } from '../http/api-errors';
import { TakesQuery } from '../http/query.guard';
import { INTERVAL_COUNT, ChangeCountsService, ChangeCountsView } from './change-counts.service';

const options: RouteOptions = {
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

  @ListRoute(options)
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

  @ShowRoute(options)
  async show(
    @Ctx() ctx: RequestContext,
    @Param('id', new ResourceIdPipe(changeRecords.mapping)) id: number,
    @Req() request: Request,
  ) {
    // No entity tag: records are immutable.
    return JsonResponse.ok((await this.reader.show(ctx, changeRecord, id, request.query)).body);
  }
}
