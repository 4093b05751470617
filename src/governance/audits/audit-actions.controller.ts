import { Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import {
  ApiBody,
  ApiExtraModels,
  ApiOperation,
  ApiProperty,
  ApiPropertyOptional,
  ApiResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { Request } from 'express';
import { READ, Access, Ctx, Proposable } from '../../auth/access';
import { WithoutDryRun } from '../../http/dry-run';
import { PreparedWrite } from '../../writes/prepared-write';
import type { RequestContext } from '../../core/context/request-context';
import { JsonResponse } from '../../http/response';
import { ApiErrors } from '../../http/api-errors';
import { queryOf, untilDisconnected } from '../../http/request';
import { entityTag } from '../../http/entity-tag';
import { IfMatch, type Precondition } from '../../http/preconditions';
import { joinItems, pageLinks } from '../../http/list-response';
import { TakesQuery } from '../../http/query.guard';
import { LargeBody } from '../../http/request-body';
import { ResourceIdPipe } from '../../http/resource-id';
import { EmptyBody, ValidBody } from '../../http/body-validation';
import { anyValueSchema, ApiEmptyBody } from '../../http/api-schemas';
import { ApiId, ApiIfMatch, Writes } from '../../resources/resource-routes';
import { LinkView } from '../../resources/resource.view';
import { VariablesView } from '../../resources/variables/variables.controller';
import { auditMapping } from './audit.entity';
import { remediatedKinds, Remediation } from './audit.dto';
import { AuditRunService, type AuditFailure, type AuditResult } from './audit-run.service';
import type { LocationCounts } from './past-runs.service';
import { RemediationService } from './remediation.service';
import { ApiRunQuery, parseRunQuery, type RunQuery } from './run-query';

class RunAuditView {
  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  id!: number;

  @ApiProperty({ example: 'two-clocks' })
  name!: string;
}

class FailureSourceView {
  @ApiProperty({ enum: remediatedKinds, example: 'region' })
  kind!: string;

  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  id!: number;

  @ApiProperty({ example: 'dfw' })
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

  @ApiProperty({
    type: FailureSourceView,
    nullable: true,
    description: 'The region, cell, label or device that sets the value; `null` if the variable is not set.',
  })
  source!: FailureSourceView | null;

  @ApiProperty({ example: 'must NOT have fewer than 2 items' })
  message!: string;
}

class AuditedLocationView {
  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  region_id!: number;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    nullable: true,
    example: 1,
    description: '`null`: the devices of the region that are in no cell.',
  })
  cell_id!: number | null;

  @ApiProperty({ type: 'integer', example: 12 })
  devices!: number;

  @ApiProperty({ type: 'integer', example: 1 })
  failed!: number;
}

class ImpliedRemediationView {
  @ApiProperty({ example: 'ntp_servers' })
  key!: string;

  @ApiPropertyOptional({
    ...anyValueSchema,
    example: ['10.0.0.1', '10.0.0.2'],
    description: 'The value that a remediation sets without one of its own; absent if it needs one.',
  })
  value?: unknown;
}

/** Limits the size of the first page: each location takes about 60 bytes. As many as the map of the explorer shows. */
const MAX_LOCATIONS = 1_000;

class AuditResultView {
  @ApiProperty({ type: RunAuditView, example: { id: 1, name: 'two-clocks' } })
  audit!: RunAuditView;

  @ApiProperty({ type: 'integer', example: 12, description: 'The number of devices that the audit targets.' })
  devices!: number;

  @ApiProperty({ type: 'integer', example: 11 })
  passed!: number;

  @ApiProperty({ type: 'integer', example: 1 })
  failed!: number;

  @ApiPropertyOptional({
    type: [AuditedLocationView],
    description: `The targeted devices by region and cell, those with the most failing devices first: up to ${MAX_LOCATIONS.toLocaleString('en')}. Only on the first page.`,
  })
  locations?: AuditedLocationView[];

  @ApiPropertyOptional({
    type: 'integer',
    example: 1,
    description:
      'How many locations the targeted devices have, also beyond those shown. Only on the first page.',
  })
  locations_total?: number;

  @ApiPropertyOptional({
    type: ImpliedRemediationView,
    nullable: true,
    description:
      'The variable that a remediation sets, and its value; `null` if the audit covers several variables. Only on the first page.',
  })
  remediation?: ImpliedRemediationView | null;

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
  ) {}

  @Post('run')
  @HttpCode(200)
  @TakesQuery()
  @WithoutDryRun()
  @Access(READ)
  @ApiOperation({
    operationId: 'auditsRun',
    summary: 'Run an audit: count the devices that pass, and list those that fail with their values',
  })
  @ApiId(auditMapping)
  @ApiRunQuery()
  @ApiEmptyBody()
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
    @EmptyBody() _body: undefined,
    @Req() request: Request,
  ): Promise<JsonResponse> {
    const query = parseRunQuery(request.query);
    return untilDisconnected(request, async (disconnected) =>
      JsonResponse.ok(
        await this.runs.run(ctx, id, query, disconnected, (result) =>
          resultChunks(ctx, request, result, query),
        ),
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
  @Writes()
  @Proposable()
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
  remediate(
    @Ctx() ctx: RequestContext,
    @Param('id', new ResourceIdPipe(auditMapping)) id: number,
    @ValidBody(Remediation) body: Remediation,
    @IfMatch() ifMatch: Precondition,
  ): PreparedWrite {
    const operation = this.remediations.prepareRemediate(ctx, id, body, ifMatch);
    return PreparedWrite.run(operation, ({ document, version }) =>
      JsonResponse.ok(`{"variables":${document}}`, { etag: entityTag(version) }),
    );
  }
}

function resultChunks(
  ctx: RequestContext,
  request: Request,
  result: AuditResult,
  { marker }: RunQuery,
): Iterable<string> {
  const { audit, devices, passed, locations, remediation, failures, next } = result;
  const url = { base: ctx.base, path: request.path, query: queryOf(request) };
  const markers = {
    next: next === undefined ? undefined : String(next),
    previous: undefined,
    last: undefined,
  };
  const counts = { devices, passed, failed: devices - passed };
  const first =
    marker === undefined ? { locations: locationViews(locations), locations_total: locations.length } : {};
  const head = JSON.stringify({ audit: { id: audit.id, name: audit.name }, ...counts, ...first });
  const remediated = marker === undefined ? `,"remediation":${remediationText(remediation)}` : '';
  const links = JSON.stringify(pageLinks(url, markers));
  return joinItems(
    `${head.slice(0, -1)}${remediated},"items":[`,
    failures.map(failureText),
    `],"links":${links}}`,
  );
}

function remediationText(remediation: AuditResult['remediation']): string {
  if (!remediation) return 'null';
  const { key, value } = remediation;
  return `{"key":${JSON.stringify(key)}${value === undefined ? '' : `,"value":${value}`}}`;
}

const locationViews = (locations: readonly LocationCounts[]): readonly AuditedLocationView[] =>
  locations
    .toSorted(
      (a, b) => b.failed - a.failed || a.region_id - b.region_id || (a.cell_id ?? 0) - (b.cell_id ?? 0),
    )
    .slice(0, MAX_LOCATIONS);

function failureText({ kind, id, name, key, value, source, path, message }: AuditFailure): string {
  const head = JSON.stringify({ kind, id, name, key });
  const valueMember = value === undefined ? '' : `"value":${value},`;
  return `${head.slice(0, -1)},${valueMember}${JSON.stringify({ source: source ?? null, path, message }).slice(1)}`;
}
