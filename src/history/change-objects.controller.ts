import { Controller, Get, Param, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { READ } from '../auth/access';
import { Access, Ctx } from '../auth/access.decorators';
import { ChangedObjectView } from '../resources/change.view';
import { ApiListNames } from '../resources/list-parameters';
import { ApiId, ApiListAnswer } from '../resources/resource-routes';
import type { RequestContext } from '../core/context/request-context';
import { ApiErrors } from '../http/api-errors';
import { TakesQuery } from '../http/query.guard';
import { ResourceIdPipe } from '../http/resource-id';
import { ChangeObjectsService, objectParameters } from './change-objects.service';
import { changeRecords } from './change-record';

@ApiTags('changes')
@Controller('v1/changes/:id/objects')
export class ChangeObjectsController {
  constructor(private readonly objects: ChangeObjectsService) {}

  @Get()
  @TakesQuery()
  @Access(READ)
  @ApiOperation({ summary: 'List all objects of a change, in the order in which the change touched them' })
  @ApiId(changeRecords.shape)
  @ApiListNames(objectParameters, { description: 'The marker from a link of this list.', example: '999' })
  @ApiListAnswer(ChangedObjectView)
  @ApiErrors(400, 401, 404)
  async list(
    @Ctx() ctx: RequestContext,
    @Param('id', new ResourceIdPipe(changeRecords.shape)) id: number,
    @Req() request: Request,
  ) {
    return this.objects.list(ctx, id, request);
  }
}
