import { Controller, Get, Param } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access, Ctx, READ_HISTORY } from '../auth/access';
import type { RequestContext } from '../core/context/request-context';
import { ApiErrors } from '../http/api-errors';
import { listResponse, ListUrlParam } from '../http/list-response';
import { TakesQuery } from '../http/query.guard';
import { ResourceIdPipe } from '../http/resource-id';
import type { ListUrl } from '../lists/list-page';
import { ApiListNames } from '../resources/api-parameters';
import { ChangedObjectView } from '../resources/change.view';
import { ApiId, ApiListResponse } from '../resources/resource-routes';
import { changeObjectParameters, ChangeObjectsService } from './change-objects.service';
import { changeRecords } from './change-record';

@ApiTags('changes')
@Controller('v1/changes/:id/objects')
export class ChangeObjectsController {
  constructor(private readonly objects: ChangeObjectsService) {}

  @Get()
  @TakesQuery()
  @Access(READ_HISTORY)
  @ApiOperation({ summary: 'List all objects of a change, in the order in which the change touched them' })
  @ApiId(changeRecords.mapping)
  @ApiListNames(changeObjectParameters, {
    description: 'The marker from a link of this list.',
    example: '999',
  })
  @ApiListResponse(ChangedObjectView)
  @ApiErrors(400, 401, 404)
  async list(
    @Ctx() ctx: RequestContext,
    @Param('id', new ResourceIdPipe(changeRecords.mapping)) id: number,
    @ListUrlParam() url: ListUrl,
  ) {
    return listResponse(await this.objects.list(ctx, id, url));
  }
}
