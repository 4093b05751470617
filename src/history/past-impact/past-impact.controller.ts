import {
  ApiExtraModels,
  ApiOperation,
  ApiProperty,
  ApiResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import {
  AffectedDeviceView,
  impactGroups,
  impactGroupsTotal,
  type ImpactGroupView,
} from '../../resources/impact.view';
import { LinkView } from '../../resources/resource.view';
import { Controller, Get, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import { READ_HISTORY, Access, Ctx } from '../../auth/access';
import { ApiDevicePage } from '../../resources/api-parameters';
import { ApiId } from '../../resources/resource-routes';
import type { RequestContext } from '../../core/context/request-context';
import { JsonResponse } from '../../http/response';
import { ApiErrors } from '../../http/api-errors';
import { TakesQuery } from '../../http/query.guard';
import { untilDisconnected } from '../../http/request';
import { ResourceIdPipe } from '../../http/resource-id';
import { parseIdPage } from '../../lists/list-query';
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

/** How many devices a recorded change affected, by changes of values. */
export class PastImpactGroupsView {
  @ApiProperty({
    type: 'integer',
    format: 'int64',
    example: 12,
    description:
      'How many devices got another resolved value of some variable, of those that were looked at.',
  })
  devices!: number;

  @ApiProperty({
    type: Boolean,
    example: true,
    description:
      'Whether all devices were looked at. Of a change that can have affected more than about 50,000, only the first are, and of one that takes longer than 30 seconds.',
  })
  complete!: boolean;

  @ApiProperty(impactGroups)
  groups!: ImpactGroupView[];

  @ApiProperty(impactGroupsTotal)
  groups_total!: number;
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
  @ApiDevicePage()
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

  @Get('groups')
  @Access(READ_HISTORY)
  @ApiOperation({
    operationId: 'changesShowImpactGroups',
    summary: 'How many devices a change affected, by changes of values',
  })
  @ApiId(changeRecords.mapping)
  @ApiExtraModels(PastImpactGroupsView)
  @ApiResponse({
    status: 200,
    description: 'The groups.',
    content: { 'application/json': { schema: { $ref: getSchemaPath(PastImpactGroupsView) } } },
  })
  @ApiErrors(400, 401, 404)
  async showGroups(
    @Ctx() ctx: RequestContext,
    @Param('id', new ResourceIdPipe(changeRecords.mapping)) id: number,
    @Req() request: Request,
  ) {
    return untilDisconnected(request, async (disconnected) =>
      JsonResponse.ok(await this.impacts.groups(ctx, id, disconnected)),
    );
  }
}
