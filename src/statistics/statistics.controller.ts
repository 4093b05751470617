import {
  ApiProperty,
  ApiPropertyOptional,
  ApiExtraModels,
  ApiOperation,
  ApiParam,
  ApiQuery,
  ApiResponse,
  ApiTags,
} from '@nestjs/swagger';
import { Controller, Get, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import { deviceKindNames } from '../devices/device-kinds';
import { anyValueSchema } from '../http/api-schemas';
import { READ, Access, Ctx } from '../auth/access';
import type { RequestContext } from '../core/context/request-context';
import { ApiErrors } from '../http/api-errors';
import { TakesQuery } from '../http/query.guard';
import { JsonResponse } from '../http/response';
import { LIMITS } from '../lists/list-query';
import { DeviceCountsService } from './device-counts.service';
import { ApiDeviceSelection } from './device-selection';
import { GROUPINGS, type Grouping } from './grouping';
import { VALUE_GROUPINGS, VariableValuesService } from './variable-values.service';

/** A resource that devices are grouped by. */
class GroupReferenceView {
  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  id!: number;

  @ApiProperty({ example: 'eqiad' })
  name!: string;
}

/** A number of devices, with the properties that they have in common: one member for each name in `group_by`. */
export class DeviceGroupView {
  @ApiPropertyOptional({ type: GroupReferenceView })
  region?: GroupReferenceView;

  @ApiPropertyOptional({
    type: GroupReferenceView,
    nullable: true,
    description: '`null` for devices that are in no cell.',
  })
  cell?: GroupReferenceView | null;

  @ApiPropertyOptional({
    type: GroupReferenceView,
    description: 'A device with several labels is in several groups, and a device without labels is in none.',
  })
  label?: GroupReferenceView;

  @ApiPropertyOptional({ enum: deviceKindNames, example: 'host' })
  kind?: string;

  @ApiPropertyOptional({ example: true })
  active?: boolean;

  @ApiPropertyOptional({ example: 'server' })
  device_type?: string;

  @ApiProperty({ type: 'integer', example: 120 })
  devices!: number;
}

class DeviceCountsView {
  @ApiProperty({
    type: 'integer',
    example: 120,
    description: 'The number of devices that match the filters.',
  })
  devices!: number;

  @ApiProperty({
    type: 'integer',
    example: 1,
    description: 'The number of groups, including those beyond `limit`; 0 without `group_by`.',
  })
  group_count!: number;

  @ApiProperty({
    type: [DeviceGroupView],
    description: 'The groups with the most devices, the largest first.',
    example: [{ region: { id: 1, name: 'eqiad' }, devices: 120 }],
  })
  groups!: DeviceGroupView[];
}

class CountedValueView {
  @ApiProperty({ ...anyValueSchema, example: ['10.0.0.1'] })
  value!: unknown;

  @ApiProperty({ type: 'integer', example: 118 })
  devices!: number;
}

abstract class DistributionView {
  @ApiProperty({
    type: 'integer',
    example: 120,
    description: 'The number of devices that match the filters.',
  })
  devices!: number;

  @ApiProperty({
    type: 'integer',
    example: 2,
    description: 'How many of them resolve the key to no value, or to a value without the `path`.',
  })
  without!: number;

  @ApiProperty({
    type: 'integer',
    example: 1,
    description: 'The number of different values, including those that are not in `values`.',
  })
  distinct!: number;

  @ApiProperty({
    type: [CountedValueView],
    description:
      'The most frequent values, at most `limit`, the most frequent first. All values of a response together have at most 4 MiB; use `path` to count a part of large values.',
  })
  values!: CountedValueView[];
}

/** The distribution in one group of devices. */
class GroupDistributionView extends DistributionView {
  @ApiPropertyOptional({ type: GroupReferenceView })
  region?: GroupReferenceView;

  @ApiPropertyOptional({ type: GroupReferenceView, nullable: true })
  cell?: GroupReferenceView | null;

  @ApiPropertyOptional({ type: GroupReferenceView })
  label?: GroupReferenceView;

  @ApiPropertyOptional({ enum: deviceKindNames, example: 'host' })
  kind?: string;
}

class VariableValuesView extends DistributionView {
  @ApiProperty({ example: 'ntp_servers' })
  key!: string;

  @ApiPropertyOptional({
    type: [GroupDistributionView],
    description:
      'With `group_by`: the distribution in each group, the largest group first, at most `group_limit`. A device with several labels is in several groups, and a device without labels is in none.',
    example: [
      {
        region: { id: 1, name: 'eqiad' },
        devices: 120,
        without: 2,
        distinct: 1,
        values: [{ value: ['10.0.0.1'], devices: 118 }],
      },
    ],
  })
  groups?: GroupDistributionView[];
}

const names = (groupings: readonly Grouping[]): string[] => groupings.map(({ name }) => name);

const ApiLimit = (description: string, { min, max, default: byDefault }: (typeof LIMITS)['array']) =>
  ApiQuery({
    name: 'limit',
    required: false,
    description,
    schema: { type: 'integer', minimum: min, maximum: max, default: byDefault, example: 100 },
  });

const ApiGroupLimit = ({ min, max }: (typeof LIMITS)['array']) =>
  ApiQuery({
    name: 'group_limit',
    required: false,
    description: 'The maximum number of groups. The default is `limit`.',
    schema: { type: 'integer', minimum: min, maximum: max, example: 100 },
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
  @ApiOperation({ operationId: 'devicesCount', summary: 'Count devices, in groups' })
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
  @ApiOperation({
    operationId: 'variableValuesCount',
    summary: 'Count the devices that resolve a variable to each of its values',
  })
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
  @ApiLimit('The maximum number of values, and of groups without `group_limit`.', LIMITS.preview)
  @ApiGroupLimit(LIMITS.preview)
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
