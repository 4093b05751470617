import {
  ApiExtraModels,
  ApiOperation,
  ApiProperty,
  ApiQuery,
  ApiResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { AffectedDeviceView } from '../../resources/change.view';
import { LinkView } from '../../resources/resource.view';
import { Controller, Get, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import { READ_HISTORY, Access, Ctx } from '../../auth/access';
import { ApiId } from '../../resources/resource-routes';
import type { RequestContext } from '../../core/context/request-context';
import { JsonResponse } from '../../http/response';
import { ApiErrors } from '../../http/api-errors';
import { TakesQuery } from '../../http/query.guard';
import { ResourceIdPipe } from '../../http/resource-id';
import { LIMITS, parseIdPage } from '../../lists/list-query';
import { changeRecords } from '../change-record';
import { PastImpactService } from './past-impact.service';

/** The devices that a recorded change affected. */
export class PastImpactView {
  @ApiProperty({
    type: [AffectedDeviceView],
    description: 'A page of the devices whose resolved variables the change altered, ordered by id.',
  })
  items!: AffectedDeviceView[];

  @ApiProperty({
    type: [LinkView],
    description: '`next`, if there can be more devices. A page can be short or empty before the last one.',
  })
  links!: LinkView[];
}

@ApiTags('changes')
@Controller('v1/changes/:id/impact')
export class PastImpactController {
  constructor(private readonly impacts: PastImpactService) {}

  @Get()
  @TakesQuery()
  @Access(READ_HISTORY)
  @ApiOperation({
    operationId: 'changesShowImpact',
    summary: 'Devices whose resolved variables a change altered',
  })
  @ApiId(changeRecords.mapping)
  @ApiQuery({
    name: 'limit',
    required: false,
    description: 'The maximum number of devices.',
    schema: {
      type: 'integer',
      minimum: LIMITS.preview.min,
      maximum: LIMITS.preview.max,
      default: LIMITS.preview.default,
      example: 100,
    },
  })
  @ApiQuery({
    name: 'marker',
    required: false,
    description: 'The id of the last device seen.',
    schema: { type: 'string', example: '1' },
  })
  @ApiExtraModels(PastImpactView)
  @ApiResponse({
    status: 200,
    description: 'A page of the devices.',
    content: { 'application/json': { schema: { $ref: getSchemaPath(PastImpactView) } } },
  })
  @ApiErrors(400, 401, 404)
  async show(
    @Ctx() ctx: RequestContext,
    @Param('id', new ResourceIdPipe(changeRecords.mapping)) id: number,
    @Req() request: Request,
  ) {
    return JsonResponse.ok(await this.impacts.show(ctx, id, parseIdPage(request.query)));
  }
}
