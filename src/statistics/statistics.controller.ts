import { Controller, Get, Param, Req } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiParam, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { READ, Access, Ctx } from '../auth/access';
import type { RequestContext } from '../core/context/request-context';
import { ApiErrors } from '../http/api-errors';
import { TakesQuery } from '../http/query.guard';
import { JsonResponse } from '../http/response';
import { LIMITS } from '../list/list-query';
import { DeviceCountsService } from './device-counts.service';
import { ApiDeviceSelection } from './device-selection';
import { GROUPINGS, type Grouping } from './grouping';
import { DeviceCountsView, GroupReferenceView, VariableValuesView } from './statistics.views';
import { VALUE_GROUPINGS, VariableValuesService } from './variable-values.service';

const names = (groupings: readonly Grouping[]): string[] => groupings.map(({ name }) => name);

const ApiLimit = (description: string, { min, max, default: byDefault }: (typeof LIMITS)['array']) =>
  ApiQuery({
    name: 'limit',
    required: false,
    description,
    schema: { type: 'integer', minimum: min, maximum: max, default: byDefault, example: 100 },
  });

/** Statistics over devices: how many there are, and which values they resolve. */
@ApiTags('statistics')
@Controller('v1')
export class StatisticsController {
  constructor(
    private readonly counts: DeviceCountsService,
    private readonly values: VariableValuesService,
  ) {}

  @Get('devices/counts')
  @TakesQuery()
  @Access(READ)
  @ApiOperation({ summary: 'Count devices, in groups' })
  @ApiQuery({
    name: 'group_by',
    required: false,
    description: 'What to group the devices by, joined by `,`. There is a group for each combination.',
    schema: {
      type: 'array',
      items: { type: 'string', enum: names(GROUPINGS) },
      example: ['region', 'cell'],
    },
    style: 'form',
    explode: false,
  })
  @ApiLimit('The maximum number of groups.', LIMITS.array)
  @ApiDeviceSelection()
  @ApiExtraModels(GroupReferenceView)
  @ApiResponse({ status: 200, description: 'The numbers of devices.', type: DeviceCountsView })
  @ApiErrors(400, 401, 404)
  async countDevices(@Ctx() ctx: RequestContext, @Req() request: Request): Promise<JsonResponse> {
    return JsonResponse.ok(JSON.stringify(await this.counts.count(ctx, request.query)));
  }

  @Get('variable-keys/:key/values')
  @TakesQuery()
  @Access(READ)
  @ApiOperation({ summary: 'Count the devices that resolve a variable to each of its values' })
  @ApiParam({
    name: 'key',
    description: 'The key of the variable.',
    schema: { type: 'string', maxLength: 255, example: 'ntp_servers' },
  })
  @ApiQuery({
    name: 'path',
    required: false,
    description:
      'Counts a part of the value: a path inside it, in the syntax of `vars` without wildcards. Of several matches, the first one counts.',
    schema: { type: 'string', example: 'rack.row' },
  })
  @ApiQuery({
    name: 'group_by',
    required: false,
    description: 'Counts the devices of each group separately, too.',
    schema: { type: 'string', enum: names(VALUE_GROUPINGS), example: 'region' },
  })
  @ApiLimit('The maximum number of values, and of groups.', LIMITS.preview)
  @ApiDeviceSelection()
  @ApiResponse({ status: 200, description: 'The distribution of the values.', type: VariableValuesView })
  @ApiErrors(400, 401, 404)
  async countValues(
    @Ctx() ctx: RequestContext,
    @Param('key') key: string,
    @Req() request: Request,
  ): Promise<JsonResponse> {
    return JsonResponse.ok(await this.values.read(ctx, key, request.query));
  }
}
