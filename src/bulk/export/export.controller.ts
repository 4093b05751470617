import { applyDecorators, Controller, Get, Inject, Req } from '@nestjs/common';
import { ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { READ, Access, Ctx } from '../../auth/access';
import type { RequestContext } from '../../core/context/request-context';
import { ApiResolvedValues, ApiSelection } from '../../resources/api-parameters';
import { ApiErrors } from '../../http/api-errors';
import { NegotiatesType, preferredType } from '../../http/accept';
import { TakesQuery } from '../../http/query.guard';
import { STREAM_LIMITS, type StreamLimits, StreamedResponse } from '../../http/streamed-response';
import { EXPORTED_KINDS } from './exported-kinds';
import { ExportService, exportedDevices, parseExportQuery, type ExportFormat } from './export.service';

const NDJSON = 'application/x-ndjson';
const CSV = 'text/csv';

const HEADERS: Record<ExportFormat, Readonly<Record<string, string>>> = {
  ndjson: { 'content-type': NDJSON, 'content-disposition': 'attachment; filename="muster.ndjson"' },
  csv: {
    'content-type': `${CSV}; charset=utf-8; header=present`,
    'content-disposition': 'attachment; filename="muster-hosts.csv"',
  },
};

const NDJSON_EXAMPLE = [
  { kind: 'label', label: 'web', variables: { port: 443 } },
  { kind: 'region', name: 'eqiad', cloud: null, note: null, labels: [], variables: {} },
  {
    kind: 'host',
    name: 'node1',
    region: 'eqiad',
    cell: null,
    parent: null,
    ip_address: '10.0.0.1',
    device_type: 'server',
    active: true,
    note: null,
    labels: ['web'],
    variables: { rack: 4 },
  },
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join('');

const CSV_EXAMPLE = [
  'name,region,cell,parent,ip_address,device_type,active,note,labels,variables.rack',
  'node1,eqiad,,,10.0.0.1,server,true,,web,4',
  '',
].join('\r\n');

const ApiExport = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'exportInventory',
      summary: 'Export the inventory of the project as a stream, from one consistent snapshot',
    }),
    ApiQuery({
      name: 'kind',
      required: false,
      description: 'Exports only resources of this kind. Repeat the parameter for several kinds.',
      schema: { type: 'array', items: { type: 'string', enum: [...EXPORTED_KINDS], example: 'host' } },
      style: 'form',
      explode: true,
    }),
    ApiQuery({
      name: 'format',
      required: false,
      description: `The format: \`ndjson\` is one JSON object per line, as \`POST /v1/import\` accepts it; \`csv\` is a table of hosts. Without this parameter, \`Accept\` selects it: \`ndjson\` unless it prefers \`${CSV}\`.`,
      schema: { type: 'string', enum: ['ndjson', 'csv'], example: 'csv' },
    }),
    ApiResolvedValues('false'),
    ApiSelection(exportedDevices),
    ApiResponse({
      status: 200,
      description:
        'One line per resource. A resource follows those that it references. If the export fails, the connection is closed without the final chunk of the body.',
      headers: {
        'Content-Disposition': {
          description: 'The suggested file name.',
          schema: { type: 'string', example: 'attachment; filename="muster.ndjson"' },
        },
      },
      content: {
        [NDJSON]: { schema: { type: 'string', example: NDJSON_EXAMPLE } },
        [CSV]: { schema: { type: 'string', example: CSV_EXAMPLE } },
      },
    }),
    ApiErrors(400, 401, 403, 404, 405, 406),
  );

@ApiTags('bulk')
@Controller('v1/export')
export class ExportController {
  constructor(
    private readonly exports: ExportService,
    @Inject(STREAM_LIMITS) private readonly limits: StreamLimits,
  ) {}

  @Get()
  @TakesQuery()
  @Access(READ)
  @NegotiatesType()
  @ApiExport()
  export(@Ctx() ctx: RequestContext, @Req() request: Request): StreamedResponse {
    const query = parseExportQuery(request.query, () =>
      preferredType(request, [NDJSON, CSV]) === CSV ? 'csv' : 'ndjson',
    );
    return new StreamedResponse({
      headers: { ...HEADERS[query.format], vary: 'Accept' },
      timeout: this.limits.timeout,
      produce: (sink) => this.exports.write(ctx, query, sink),
    });
  }
}
