import { Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import {
  ApiBody,
  ApiExtraModels,
  ApiOperation,
  ApiProperty,
  ApiPropertyOptional,
  ApiQuery,
  ApiResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { Request } from 'express';
import { READ } from '../../auth/access';
import { Access, Asks, Ctx } from '../../auth/access.decorators';
import type { RequestContext } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors/inventory-error';
import { Answer } from '../../http/response';
import { ApiErrors } from '../../http/api-errors';
import { whileClientStays } from '../../http/request';
import { entityTag, type Precondition } from '../../http/etag';
import { IfMatch } from '../../http/preconditions';
import { enclosed, pageLinks } from '../../http/list-response';
import { TakesQuery } from '../../http/query.guard';
import { LargeBody } from '../../http/request-body';
import { ResourceIdPipe } from '../../http/resource-id';
import { JsonBody, ValidBody } from '../../http/body-validation';
import type { JsonInput } from '../../database/json-input';
import { idPageOf } from '../../list/id-page';
import { LIMITS } from '../../list/list-query';
import { anyValue } from '../../variables/explanation.view';
import { ApiId, ApiIfMatch, ApiWrite } from '../../resources/resource-routes';
import { LinkView } from '../../resources/resource.view';
import { VariablesView } from '../../variables/controllers/variables.controller';
import { isObject } from '../../core/context/variable-key';
import { auditShape } from './audit';
import { Remediation } from './audit.dto';
import { AuditRunService, type AuditResult, type Failure } from './audit-run.service';
import { RemediationService } from './remediation.service';

class RunAuditView {
  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  id!: number;

  @ApiProperty({ example: 'two-clocks' })
  name!: string;
}

class FailureView {
  @ApiProperty({ example: 'host' })
  kind!: string;

  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  id!: number;

  @ApiProperty({ example: 'node1' })
  name!: string;

  @ApiProperty({ example: 'ntp_servers', description: 'The variable that is not as expected.' })
  key!: string;

  @ApiPropertyOptional({
    ...anyValue,
    example: ['10.0.0.1'],
    description: 'What the device resolves it to; absent where it is not set.',
  })
  value?: unknown;

  @ApiPropertyOptional({
    example: '/1',
    description: 'Where in the value the fault is, as a JSON pointer; where a schema says so.',
  })
  path?: string;

  @ApiProperty({ example: 'must NOT have fewer than 2 items' })
  message!: string;
}

class AuditResultView {
  @ApiProperty({ type: RunAuditView, example: { id: 1, name: 'two-clocks' } })
  audit!: RunAuditView;

  @ApiProperty({ type: 'integer', example: 12, description: 'How many devices it is about.' })
  devices!: number;

  @ApiProperty({ type: 'integer', example: 11 })
  passed!: number;

  @ApiProperty({ type: 'integer', example: 1 })
  failed!: number;

  @ApiProperty({
    type: [FailureView],
    description: 'A page of those that fail, in the order of their ids; shorter where values are long.',
  })
  items!: FailureView[];

  @ApiProperty({
    type: [LinkView],
    description: '`self`, and `next` where there are more; to be sent by POST.',
  })
  links!: LinkView[];
}

const { least, most, usual } = LIMITS.preview;

/** What is done with audits. */
@ApiTags('audits')
@Controller('v1/audits/:id')
export class AuditActionsController {
  constructor(
    private readonly runs: AuditRunService,
    private readonly remediations: RemediationService,
  ) {}

  @Post('run')
  @HttpCode(200)
  @TakesQuery()
  @Asks()
  @Access(READ)
  @ApiOperation({ summary: 'Run an audit: how many devices pass, which fail, and what they have instead' })
  @ApiId(auditShape)
  @ApiQuery({
    name: 'limit',
    required: false,
    description: 'How many of those that fail at most.',
    schema: { type: 'integer', minimum: least, maximum: most, default: usual, example: 100 },
  })
  @ApiQuery({
    name: 'marker',
    required: false,
    description: 'The id of the last item seen.',
    schema: { type: 'integer', format: 'int64', example: 1 },
  })
  @ApiBody({ required: false, schema: { type: 'object', properties: {} }, description: 'None, or `{}`.' })
  @ApiExtraModels(AuditResultView)
  @ApiResponse({
    status: 200,
    description: 'What came of it.',
    content: { 'application/json': { schema: { $ref: getSchemaPath(AuditResultView) } } },
  })
  @ApiErrors(400, 401, 404, 405, 415)
  async run(
    @Ctx() ctx: RequestContext,
    @Param('id', new ResourceIdPipe(auditShape)) id: number,
    @JsonBody() body: JsonInput | undefined,
    @Req() request: Request,
  ): Promise<Answer> {
    if (body && (!isObject(body.parsed) || Object.keys(body.parsed).length > 0))
      throw new InventoryError('invalid_request', 'A run takes no body, or {}.');
    const page = idPageOf(request.query);
    return whileClientStays(request, async (gone) =>
      Answer.ok(await this.runs.run(ctx, id, page, gone, (result) => resultParts(ctx, request, result))),
    );
  }

  @Post('remediate')
  @HttpCode(200)
  // Who may write the variables of the level that the body names, the service finds out.
  @Access(READ)
  @ApiOperation({ summary: 'Set what an audit expects at a level; with `dry_run` propose it' })
  @ApiId(auditShape)
  @ApiWrite()
  @ApiIfMatch()
  @LargeBody()
  @ApiBody({ type: Remediation })
  @ApiExtraModels(VariablesView)
  @ApiResponse({
    status: 200,
    description: 'The own variables of the level.',
    headers: { ETag: { description: "The level's version, for `If-Match`.", schema: { type: 'string' } } },
    content: { 'application/json': { schema: { $ref: getSchemaPath(VariablesView) } } },
  })
  @ApiErrors(400, 401, 403, 404, 405, 412, 415)
  async remediate(
    @Ctx() ctx: RequestContext,
    @Param('id', new ResourceIdPipe(auditShape)) id: number,
    @ValidBody(Remediation) body: Remediation,
    @IfMatch() ifMatch: Precondition,
  ): Promise<Answer> {
    const { document, version } = await this.remediations.remediate(ctx, id, body, ifMatch);
    return Answer.ok(`{"variables":${document}}`, { etag: entityTag(version) });
  }
}

function resultParts(ctx: RequestContext, request: Request, result: AuditResult): Iterable<string> {
  const { audit, devices, passed, failures, next } = result;
  const at = request.originalUrl.indexOf('?');
  const address = {
    base: ctx.base,
    path: request.path,
    query: new URLSearchParams(at < 0 ? '' : request.originalUrl.slice(at + 1)),
  };
  const neighbours = {
    next: next === undefined ? undefined : String(next),
    previous: undefined,
    last: undefined,
  };
  const counts = { devices, passed, failed: devices - passed };
  const head = JSON.stringify({ audit: { id: audit.id, name: audit.name }, ...counts });
  const links = JSON.stringify(pageLinks(address, neighbours));
  return enclosed(`${head.slice(0, -1)},"items":[`, failures.map(failureText), `],"links":${links}}`);
}

function failureText({ kind, id, name, key, value, path, message }: Failure): string {
  const head = JSON.stringify({ kind, id, name, key });
  const shown = value === undefined ? '' : `"value":${value},`;
  return `${head.slice(0, -1)},${shown}${JSON.stringify({ path, message }).slice(1)}`;
}
