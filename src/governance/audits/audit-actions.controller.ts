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
import { READ, Access, Ctx } from '../../auth/access';
import { SafePost } from '../../http/dry-run';
import { ChangesService } from '../../changes/changes.service';
import type { RequestContext } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors';
import { JsonResponse, renderWrite } from '../../http/response';
import { ApiErrors } from '../../http/api-errors';
import { queryOf, untilDisconnected } from '../../http/request';
import { entityTag } from '../../http/entity-tag';
import { IfMatch, type Precondition } from '../../http/preconditions';
import { joinItems, pageLinks } from '../../http/list-response';
import { TakesQuery } from '../../http/query.guard';
import { LargeBody } from '../../http/request-body';
import { ResourceIdPipe } from '../../http/resource-id';
import { JsonBody, ValidBody } from '../../http/body-validation';
import type { JsonInput } from '../../database/json-input';
import { LIMITS, parseIdPage } from '../../lists/list-query';
import { anyValueSchema, namedSchema } from '../../http/api-schemas';
import { ApiId, ApiIfMatch, ApiWrite } from '../../resources/resource-routes';
import { LinkView } from '../../resources/resource.view';
import { VariablesView } from '../../resources/variables/variables.controller';
import { isObject } from '../../core/context/variable-keys';
import { auditMapping } from './audit.entity';
import { Remediation } from './audit.dto';
import { AuditRunService, type AuditResult, type AuditFailure } from './audit-run.service';
import { RemediationService } from './remediation.service';

const emptyBody = namedSchema('EmptyBody', { type: 'object', additionalProperties: false });

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

  @ApiProperty({ example: 'ntp_servers', description: 'The variable that does not meet the expectation.' })
  key!: string;

  @ApiPropertyOptional({
    ...anyValueSchema,
    example: ['10.0.0.1'],
    description: 'The resolved value of the variable; absent if the variable is not set.',
  })
  value?: unknown;

  @ApiPropertyOptional({
    example: '/1',
    description:
      'The location of the violation in the value, as a JSON pointer; only for an expectation with a schema.',
  })
  path?: string;

  @ApiProperty({ example: 'must NOT have fewer than 2 items' })
  message!: string;
}

class AuditResultView {
  @ApiProperty({ type: RunAuditView, example: { id: 1, name: 'two-clocks' } })
  audit!: RunAuditView;

  @ApiProperty({ type: 'integer', example: 12, description: 'The number of devices that the audit targets.' })
  devices!: number;

  @ApiProperty({ type: 'integer', example: 11 })
  passed!: number;

  @ApiProperty({ type: 'integer', example: 1 })
  failed!: number;

  @ApiProperty({
    type: [FailureView],
    description: 'A page of the failing devices, ordered by id. It has fewer items if values are long.',
  })
  items!: FailureView[];

  @ApiProperty({
    type: [LinkView],
    description: '`self`, and `next` if there are more items. Send a POST request to follow them.',
  })
  links!: LinkView[];
}

/** Running and remediating audits. */
@ApiTags('audits')
@Controller('v1/audits/:id')
export class AuditActionsController {
  constructor(
    private readonly runs: AuditRunService,
    private readonly remediations: RemediationService,
    private readonly changes: ChangesService,
  ) {}

  @Post('run')
  @HttpCode(200)
  @TakesQuery()
  @SafePost()
  @Access(READ)
  @ApiOperation({
    operationId: 'auditsRun',
    summary: 'Run an audit: count the devices that pass, and list those that fail with their values',
  })
  @ApiId(auditMapping)
  @ApiQuery({
    name: 'limit',
    required: false,
    description: 'The maximum number of failing devices to return.',
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
    description: 'The id of the last item seen.',
    schema: { type: 'string', example: '1' },
  })
  @ApiBody({ required: false, schema: emptyBody, description: 'Empty, or `{}`.' })
  @ApiExtraModels(AuditResultView)
  @ApiResponse({
    status: 200,
    description: 'The result of the run.',
    content: { 'application/json': { schema: { $ref: getSchemaPath(AuditResultView) } } },
  })
  @ApiErrors(400, 401, 404, 405, 415)
  async run(
    @Ctx() ctx: RequestContext,
    @Param('id', new ResourceIdPipe(auditMapping)) id: number,
    @JsonBody() body: JsonInput | undefined,
    @Req() request: Request,
  ): Promise<JsonResponse> {
    if (body && (!isObject(body.parsed) || Object.keys(body.parsed).length > 0))
      throw new InventoryError('invalid_request', 'The request body must be empty or {}.');
    const page = parseIdPage(request.query);
    return untilDisconnected(request, async (disconnected) =>
      JsonResponse.ok(
        await this.runs.run(ctx, id, page, disconnected, (result) => resultChunks(ctx, request, result)),
      ),
    );
  }

  @Post('remediate')
  @HttpCode(200)
  // The service checks whether the caller can write the variables of the level in the body.
  @Access(READ)
  @ApiOperation({
    operationId: 'auditsRemediate',
    summary: 'Set the value that an audit expects at a level, or preview it with `dry_run`',
  })
  @ApiId(auditMapping)
  @ApiWrite()
  @ApiIfMatch()
  @LargeBody()
  @ApiBody({ type: Remediation })
  @ApiExtraModels(VariablesView)
  @ApiResponse({
    status: 200,
    description: "The level's own variables.",
    headers: { ETag: { description: "The level's version, for `If-Match`.", schema: { type: 'string' } } },
    content: { 'application/json': { schema: { $ref: getSchemaPath(VariablesView) } } },
  })
  @ApiErrors(400, 401, 403, 404, 405, 412, 415)
  async remediate(
    @Ctx() ctx: RequestContext,
    @Param('id', new ResourceIdPipe(auditMapping)) id: number,
    @ValidBody(Remediation) body: Remediation,
    @IfMatch() ifMatch: Precondition,
  ): Promise<JsonResponse> {
    const operation = this.remediations.prepareRemediate(ctx, id, body, ifMatch);
    return renderWrite(await this.changes.run(ctx, operation), ({ document, version }) =>
      JsonResponse.ok(`{"variables":${document}}`, { etag: entityTag(version) }),
    );
  }
}

function resultChunks(ctx: RequestContext, request: Request, result: AuditResult): Iterable<string> {
  const { audit, devices, passed, failures, next } = result;
  const url = { base: ctx.base, path: request.path, query: queryOf(request) };
  const markers = {
    next: next === undefined ? undefined : String(next),
    previous: undefined,
    last: undefined,
  };
  const counts = { devices, passed, failed: devices - passed };
  const head = JSON.stringify({ audit: { id: audit.id, name: audit.name }, ...counts });
  const links = JSON.stringify(pageLinks(url, markers));
  return joinItems(`${head.slice(0, -1)},"items":[`, failures.map(failureText), `],"links":${links}}`);
}

function failureText({ kind, id, name, key, value, path, message }: AuditFailure): string {
  const head = JSON.stringify({ kind, id, name, key });
  const valueMember = value === undefined ? '' : `"value":${value},`;
  return `${head.slice(0, -1)},${valueMember}${JSON.stringify({ path, message }).slice(1)}`;
}
