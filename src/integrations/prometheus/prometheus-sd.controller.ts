import { applyDecorators, Controller, Get, Req } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { READ, Access, Ctx, Renewal } from '../../auth/access';
import type { RenewContext } from '../../http/request-state';
import { host } from '../../devices/kinds/host/host.entity';
import { ApiSelection } from '../../resources/api-parameters';
import type { RequestContext } from '../../core/context/request-context';
import { ApiErrors } from '../../http/api-errors';
import { slotReleaseOf } from '../../http/active-requests';
import { TakesQuery } from '../../http/query.guard';
import type { StreamedResponse } from '../../http/streamed-response';
import { JsonStreamResponder } from '../streamed-json-response';
import { PrometheusSdService } from './prometheus-sd.service';
import { parseScrapeQuery, DEFAULT_SCRAPE_VARIABLES } from './scrape-query';

class TargetView {
  @ApiProperty({ type: [String], example: ['10.0.0.7:9100'], description: 'One address for each port.' })
  targets!: string[];

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    example: {
      __meta_muster_project: '717e9a21-6e2d-44e0-bc84-8398563bda06',
      __meta_muster_project_name: 'first',
      __meta_muster_region: 'eqiad',
      __meta_muster_cell: 'row 4',
      __meta_muster_name: 'node1',
      __meta_muster_device_type: 'server',
      __meta_muster_ip_address: '10.0.0.7',
      __meta_muster_id: '1',
      __meta_muster_uuid: '8d1a926b-2c8a-49b3-8fc2-31d00e56203f',
      __meta_muster_labels: ',web,',
      __meta_muster_label_web: 'true',
    },
  })
  labels!: Record<string, string>;
}

const VARIABLE_CONTENTS = {
  port_variable: 'the port, or an array of ports',
  scheme_variable: 'the scheme: `http` or `https`',
  path_variable: 'the path of the metrics',
  scrape_variable: 'whether the host is scraped: `false` excludes it',
} as const;

const ApiVariableName = (name: keyof typeof VARIABLE_CONTENTS) =>
  ApiQuery({
    name,
    required: false,
    description: `The key of the variable that contains ${VARIABLE_CONTENTS[name]}.`,
    schema: {
      type: 'string',
      default: DEFAULT_SCRAPE_VARIABLES[name],
      example: DEFAULT_SCRAPE_VARIABLES[name],
    },
  });

const ApiPrometheusSd = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'prometheusTargets',
      summary: 'The hosts of the project as Prometheus targets, streamed from one consistent snapshot',
    }),
    ApiQuery({
      name: 'port',
      required: false,
      description:
        'The port of hosts whose variables do not set one. Without this parameter, such hosts are skipped.',
      schema: { type: 'integer', minimum: 1, maximum: 65_535, example: 9100 },
    }),
    ApiVariableName('port_variable'),
    ApiVariableName('scheme_variable'),
    ApiVariableName('path_variable'),
    ApiVariableName('scrape_variable'),
    ApiQuery({
      name: 'variable',
      required: false,
      description:
        'The key of a variable that becomes the label `__meta_muster_variable_<key>`. Repeat the parameter for several variables.',
      schema: { type: 'array', items: { type: 'string', example: 'rack' } },
      style: 'form',
      explode: true,
    }),
    ApiSelection(host.definition),
    ApiResponse({
      status: 200,
      description:
        'The targets, in the format of the HTTP service discovery of Prometheus. Inactive hosts are excluded, unless `active` selects them.',
      type: [TargetView],
    }),
    ApiErrors(400, 401, 403, 404, 405),
  );

@ApiTags('integrations')
@Controller('v1/prometheus-sd')
export class PrometheusSdController {
  constructor(
    private readonly targets: PrometheusSdService,
    private readonly streams: JsonStreamResponder,
  ) {}

  @Get()
  @TakesQuery()
  @Access(READ)
  @ApiPrometheusSd()
  discover(
    @Ctx() ctx: RequestContext,
    @Renewal() renew: RenewContext,
    @Req() request: Request,
  ): StreamedResponse {
    const query = parseScrapeQuery(request.query);
    return this.streams.respond(request, (sink, signal) =>
      this.targets.write({ ctx, renew, releaseSlot: slotReleaseOf(request) }, query, sink, signal),
    );
  }
}
