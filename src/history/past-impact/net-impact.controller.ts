import { applyDecorators, Controller, Get, Req } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiOperation,
  ApiProperty,
  ApiQuery,
  ApiResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { Request } from 'express';
import { Access, Ctx, READ_HISTORY } from '../../auth/access';
import type { RequestContext } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors';
import { parameterReader, timeValue, type QueryParameters } from '../../core/parameters';
import { ApiErrors } from '../../http/api-errors';
import { TakesQuery } from '../../http/query.guard';
import { untilDisconnected } from '../../http/request';
import { JsonResponse } from '../../http/response';
import { TimeProperty } from '../../http/time-property';
import { parseStorableText } from '../../lists/list-filter';
import { readIdPage } from '../../lists/list-query';
import { ApiDevicePage } from '../../resources/api-parameters';
import { impactGroups, impactGroupsTotal, type ImpactGroupView } from '../../resources/impact.view';
import { type GroupPage, MAX_CHANGES, NetImpactService, type Period } from './net-impact.service';
import { PastImpactView } from './past-impact.controller';
import { MAX_COUNTING_COST } from './past-impact.service';

/** What all changes of a period together altered. */
class NetImpactView {
  @TimeProperty()
  since!: string;

  @TimeProperty({ nullable: true, example: null, description: '`null`: now.' })
  until!: string | null;

  @ApiProperty({
    type: 'integer',
    example: 17,
    description: 'The changes that the list has for this period.',
  })
  changes!: number;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    example: 12,
    description: 'How many devices have another resolved value of some variable at the second moment.',
  })
  devices!: number;

  @ApiProperty(impactGroups)
  groups!: ImpactGroupView[];

  @ApiProperty(impactGroupsTotal)
  groups_total!: number;
}

/** @throws InventoryError 400 */
function parsePeriod(text: (name: 'since' | 'until') => string | undefined): Omit<Period, 'key'> {
  const time = (name: 'since' | 'until') => {
    const value = text(name);
    return value === undefined ? undefined : timeValue(name, value);
  };
  const [since, until] = [time('since'), time('until')];
  if (since === undefined) throw InventoryError.invalid('since', 'required', 'must be given');
  return { since, until };
}

/** @throws InventoryError 400 */
function parsePeriodOfKey(query: QueryParameters): Period {
  const text = parameterReader(query, ['since', 'until', 'key']);
  const key = text('key');
  return { ...parsePeriod(text), key: key === undefined ? undefined : parseStorableText('key', key) };
}

const GROUP_ID = /^[\w-]{16}$/;

/** @throws InventoryError 400 */
function parseGroupPage(query: QueryParameters): GroupPage {
  const text = parameterReader(query, ['since', 'until', 'group', 'limit', 'marker']);
  const groupId = text('group');
  if (groupId === undefined) throw InventoryError.invalid('group', 'required', 'must be given');
  if (!GROUP_ID.test(groupId))
    throw InventoryError.invalid('group', 'invalid_format', 'must be the id of a group');
  return { period: parsePeriod(text), groupId, page: readIdPage(text) };
}

const limits = `At most ${MAX_CHANGES.toLocaleString('en')} changes, and about ${MAX_COUNTING_COST.toLocaleString('en')} devices that they can have affected; otherwise the response is 400.`;

const ApiPeriod = () =>
  applyDecorators(
    ApiQuery({
      name: 'since',
      required: true,
      description: 'The first moment. Changes with this time count.',
      schema: { type: 'string', example: '2017-02-16T14:28:55.000000' },
    }),
    ApiQuery({
      name: 'until',
      required: false,
      description: 'The second moment; by default now. Changes with this time do not count.',
      schema: { type: 'string', example: '2017-02-16T15:28:55.000000' },
    }),
  );

@ApiTags('changes')
@Controller('v1/changes/impact')
export class NetImpactController {
  constructor(private readonly impacts: NetImpactService) {}

  @Get()
  @TakesQuery()
  @Access(READ_HISTORY)
  @ApiOperation({
    operationId: 'changesShowNetImpact',
    summary: 'How the resolved variables of devices differ between two moments',
    description: limits,
  })
  @ApiPeriod()
  @ApiQuery({
    name: 'key',
    required: false,
    description: 'Only the changes of this variable.',
    schema: { type: 'string', example: 'ntp_servers' },
  })
  @ApiResponse({ status: 200, description: 'The differences, by variable and values.', type: NetImpactView })
  @ApiErrors(400, 401)
  async show(@Ctx() ctx: RequestContext, @Req() request: Request): Promise<JsonResponse> {
    const period = parsePeriodOfKey(request.query);
    return untilDisconnected(request, async (disconnected) =>
      JsonResponse.ok(await this.impacts.show(ctx, period, disconnected)),
    );
  }
  @Get('devices')
  @TakesQuery()
  @Access(READ_HISTORY)
  @ApiOperation({
    operationId: 'changesListNetImpactDevices',
    summary: 'List the devices of a group of `changesShowNetImpact`',
    description: `At most ${MAX_CHANGES.toLocaleString('en')} changes; otherwise the response is 400.`,
  })
  @ApiPeriod()
  @ApiQuery({
    name: 'group',
    required: true,
    description: 'The `id` of the group.',
    schema: { type: 'string', example: 'mC0uK3P0YQ2v1Q4s' },
  })
  @ApiDevicePage()
  @ApiExtraModels(PastImpactView)
  @ApiResponse({
    status: 200,
    description: 'A page of the devices.',
    content: { 'application/json': { schema: { $ref: getSchemaPath(PastImpactView) } } },
  })
  @ApiErrors(400, 401)
  async devices(@Ctx() ctx: RequestContext, @Req() request: Request): Promise<JsonResponse> {
    const page = parseGroupPage(request.query);
    return untilDisconnected(request, async (disconnected) =>
      JsonResponse.ok(await this.impacts.devices(ctx, page, disconnected)),
    );
  }
}
