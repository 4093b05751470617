import { Controller, Get, Req } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
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
import { impactGroups, impactGroupsTotal, type ImpactGroupView } from '../../resources/impact.view';
import { MAX_CHANGES, NetImpactService, type Period } from './net-impact.service';
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
function parsePeriod(query: QueryParameters): Period {
  const text = parameterReader(query, ['since', 'until', 'key']);
  const time = (name: 'since' | 'until') => {
    const value = text(name);
    return value === undefined ? undefined : timeValue(name, value);
  };
  const [since, until, key] = [time('since'), time('until'), text('key')];
  if (since === undefined) throw InventoryError.invalid('since', 'required', 'must be given');
  return { since, until, key: key === undefined ? undefined : parseStorableText('key', key) };
}

const limits = `At most ${MAX_CHANGES.toLocaleString('en')} changes, and about ${MAX_COUNTING_COST.toLocaleString('en')} devices that they can have affected; otherwise the response is 400.`;

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
  @ApiQuery({
    name: 'since',
    required: true,
    description: 'The first moment. Changes with this time count.',
    schema: { type: 'string', example: '2017-02-16T14:28:55.000000' },
  })
  @ApiQuery({
    name: 'until',
    required: false,
    description: 'The second moment; by default now. Changes with this time do not count.',
    schema: { type: 'string', example: '2017-02-16T15:28:55.000000' },
  })
  @ApiQuery({
    name: 'key',
    required: false,
    description: 'Only the changes of this variable.',
    schema: { type: 'string', example: 'ntp_servers' },
  })
  @ApiResponse({ status: 200, description: 'The differences, by variable and values.', type: NetImpactView })
  @ApiErrors(400, 401)
  async show(@Ctx() ctx: RequestContext, @Req() request: Request): Promise<JsonResponse> {
    const period = parsePeriod(request.query);
    return untilDisconnected(request, async (disconnected) =>
      JsonResponse.ok(await this.impacts.show(ctx, period, disconnected)),
    );
  }
}
