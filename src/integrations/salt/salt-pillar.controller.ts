import { Controller, Get, Req } from '@nestjs/common';
import { ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Access, Ctx, READ } from '../../auth/access';
import type { RequestContext } from '../../core/context/request-context';
import { parameterReader } from '../../core/parameters';
import { jsonContent, namedSchema } from '../../http/api-schemas';
import { ApiErrors } from '../../http/api-errors';
import { TakesQuery } from '../../http/query.guard';
import { JsonResponse } from '../../http/response';
import { parseHostName } from '../host-name';
import { HostQueryService } from '../host-query.service';
import { quoteLongIntegers } from '../long-integers';

const saltPillar = namedSchema('SaltPillar', {
  type: 'object',
  additionalProperties: true,
  example: { ntp: '10.0.0.1', row: 4 },
});

@ApiTags('integrations')
@Controller('v1/salt-pillar')
export class SaltPillarController {
  constructor(private readonly hosts: HostQueryService) {}

  @Get()
  @TakesQuery()
  @Access(READ)
  @ApiOperation({ operationId: 'saltPillar', summary: 'The resolved variables of a host, as a Salt pillar' })
  @ApiQuery({
    name: 'host',
    required: true,
    description: 'The name of the host. It equals the id of the minion.',
    schema: { type: 'string', example: 'node1' },
  })
  @ApiResponse({
    status: 200,
    description:
      'The variables. The response for an unknown host is an empty object, because Salt treats an error in the same way.',
    content: jsonContent(saltPillar),
  })
  @ApiErrors(400, 401, 403, 405)
  async pillar(@Ctx() ctx: RequestContext, @Req() request: Request): Promise<JsonResponse> {
    const name = parseHostName(parameterReader(request.query, ['host'])('host'));
    return JsonResponse.ok(quoteLongIntegers((await this.hosts.resolveVariables(ctx, name)) ?? '{}'));
  }
}
