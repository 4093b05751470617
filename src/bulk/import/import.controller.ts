import { applyDecorators, Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiExtraModels,
  ApiOperation,
  ApiQuery,
  ApiResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { Request } from 'express';
import { READ, Access, Ctx, Proposable } from '../../auth/access';
import { AuthAuditLog } from '../../auth/auth-audit-log';
import { withRules } from '../../changes/approval-check';
import { PreparedWrite } from '../../writes/prepared-write';
import { type Proposer, PROPOSER, type RenderedProposal } from '../../writes/proposer';
import { runOrPropose } from '../../writes/run-or-propose';
import type { RequestContext } from '../../core/context/request-context';
import { InventoryError, OperationsError } from '../../core/errors';
import type { WriteResult } from '../../core/write-result';
import { appendMembers } from '../../core/json/json-text';
import { JsonResponse, outcomeHeaders } from '../../http/response';
import { JSON_MEDIA_TYPE, NegotiatesType, preferredType } from '../../http/accept';
import { idempotencyOf, untilDisconnected } from '../../http/request';
import { TakesQuery } from '../../http/query.guard';
import { TakesBody } from '../../http/request-body';
import { StreamedResponse } from '../../http/streamed-response';
import {
  type BodyLine,
  CSV_TYPE,
  IMPORT_MODES,
  type ImportOptions,
  NDJSON_TYPE,
  parseImportOptions,
  readBodyLines,
  readOperationBody,
} from './import-request';
import type { ImportReport, ImportSummary } from './import-report';
import { CSV_EXAMPLE, importResult, NDJSON_EXAMPLE, SUMMARY_EXAMPLE, toNdjson } from './import-schemas';
import { type ImportBody, ImportService, type ImportResult } from './import.service';
import { assertProposable, linesOfOperation, operationBody, readProposedLines } from './proposed-import';
import { requestState } from '../../http/request-state';
import { ApiErrors, errorResponse } from '../../http/api-errors';
import { PreviewedImpactView } from '../../resources/impact.view';
import { RejectedReasonView, RequiredApprovalView } from '../../resources/preview.view';
import { ApiWrite } from '../../resources/resource-routes';
import { lineKinds } from './line-kinds';
import { SimilarKeys } from './similar-keys';

const ApiImport = () => {
  const types = [...lineKinds.values()].map(({ dto }) => dto);
  return applyDecorators(
    ApiExtraModels(...types, PreviewedImpactView, RejectedReasonView, RequiredApprovalView),
    ApiOperation({
      operationId: 'importInventory',
      summary: 'Import an inventory: create and update resources, identified by name, in one change',
    }),
    ApiWrite(),
    ApiQuery({
      name: 'mode',
      required: false,
      description:
        '`all`: if one line cannot be imported, nothing is imported; the import stops at 1000 faulty lines. `partial`: the valid lines are imported, and the response lists the failed ones; more than 100,000 invalid lines are an error.',
      schema: { type: 'string', enum: [...IMPORT_MODES], default: 'all', example: 'partial' },
    }),
    ApiQuery({
      name: 'max_affected_devices',
      required: false,
      description:
        'The maximum number of devices whose resolved values may change, considering the variables that the caller may see. If there are more, nothing is imported: `409`.',
      schema: { type: 'integer', minimum: 0, maximum: 999_999_999, example: 0 },
    }),
    ApiQuery({
      name: 'changes',
      required: false,
      description: `Whether the lines of the response have \`before\` and \`after\`. Requires \`Accept: ${NDJSON_TYPE}\`.`,
      schema: { type: 'boolean', default: false, example: true },
    }),
    ApiConsumes(NDJSON_TYPE, CSV_TYPE),
    ApiBody({
      required: true,
      description:
        'One JSON object per line, in any order, or a CSV table of devices. Members that a line does not contain stay unchanged. `Content-Encoding` can be `gzip`, `deflate` or `br`.',
      schema: {
        type: 'string',
        // As a file: it can be larger than the memory.
        format: 'binary',
        description: `Each line is one of ${types.map(({ name }) => `\`${name}\``).join(', ')}. In CSV, each record is a device: of the kind in the column \`kind\`, or else a host.`,
        example: NDJSON_EXAMPLE,
      },
      examples: {
        [NDJSON_TYPE]: { value: NDJSON_EXAMPLE },
        [CSV_TYPE]: { summary: 'A table of hosts', value: CSV_EXAMPLE },
      },
    }),
    ApiResponse({
      status: 200,
      description: `The results of the lines. With \`Accept: ${NDJSON_TYPE}\`, one line for each line of the body, in its order, followed by this summary. With \`changes=true\`, created and updated lines have \`after\`, the resource as in an export, and updated lines \`before\`, too. A dry run also has \`dry_run\`, \`existing_devices\` and \`impact\`.`,
      content: {
        'application/json': {
          schema: importResult,
          example: SUMMARY_EXAMPLE,
        },
        [NDJSON_TYPE]: {
          schema: {
            type: 'string',
            example: toNdjson([
              { line: 1, result: 'created', kind: 'region', id: 1, name: 'eqiad' },
              SUMMARY_EXAMPLE,
            ]),
          },
        },
      },
    }),
    ApiErrors(401, 406, 415),
    ...[400, 403, 405, 409, 412].map((status) =>
      ApiResponse({
        status,
        ...errorResponse(status),
        description: `${errorResponse(status).description} If lines are faulty, the body also has the members of the summary, and \`unchecked\`: the number of other lines that were received, but not checked, because they reference faulty lines, or because the import stopped at 1000 faulty lines.`,
      }),
    ),
    ApiResponse({
      status: 413,
      ...errorResponse(413),
      description:
        'The body is larger than 4 GiB (`IMPORT_LIMIT_BYTES`), has more than 4,000,000 lines, is compressed more than 200 times, or needs too much temporary space.',
    }),
  );
};

@ApiTags('bulk')
@Controller('v1/import')
export class ImportController {
  constructor(
    private readonly imports: ImportService,
    private readonly similarKeys: SimilarKeys,
    private readonly auditLog: AuthAuditLog,
    @Inject(PROPOSER) private readonly proposer: Proposer,
  ) {}

  @Post()
  @HttpCode(200)
  @TakesQuery()
  @TakesBody()
  @Access(READ)
  @Proposable()
  @NegotiatesType()
  @ApiImport()
  async import(
    @Ctx() ctx: RequestContext,
    @Req() request: Request,
  ): Promise<JsonResponse | StreamedResponse | PreparedWrite> {
    const options = parseImportOptions(request.query);
    if (requestState(request).subrequest) return this.prepare(ctx, request, options);
    return runOrPropose(ctx, this.proposer, {
      run: () => this.run(ctx, request, options),
      propose: () => this.propose(ctx, request, options),
      isLimited: true,
    });
  }

  private async run(
    ctx: RequestContext,
    request: Request,
    options: ImportOptions,
  ): Promise<JsonResponse | StreamedResponse> {
    const type = preferredType(request, [JSON_MEDIA_TYPE, NDJSON_TYPE]);
    const result = await untilDisconnected(request, (disconnected) =>
      this.imports.import(ctx, { ...importBody(request), disconnected }, options),
    );
    const { table } = result.staging;
    const headers = { ...outcomeHeaders(result.outcome), vary: 'Accept' };
    try {
      this.auditForbidden(request, result.summary);
    } catch (error) {
      await table.close();
      throw error;
    }
    if (type === JSON_MEDIA_TYPE) {
      await table.close();
      return JsonResponse.ok(renderSummary(result), headers);
    }
    return new StreamedResponse({
      headers: { ...headers, 'content-type': NDJSON_TYPE },
      produce: async (sink) => {
        try {
          for await (const line of renderLineResults(result, ctx.preview !== undefined))
            await sink.write(line);
          await sink.write(`${renderSummary(result)}\n`);
        } finally {
          await table.close();
        }
      },
    });
  }

  /** Prepares the import of a proposal. */
  private async prepare(
    ctx: RequestContext,
    request: Request,
    options: ImportOptions,
  ): Promise<PreparedWrite> {
    assertProposable(options);
    const operation = this.imports.prepare(ctx, linesOfOperation(await readOperationBody(request)));
    return PreparedWrite.run(operation, (summary) => JsonResponse.ok(JSON.stringify(summary)));
  }

  private async propose(
    ctx: RequestContext,
    request: Request,
    options: ImportOptions,
  ): Promise<WriteResult<RenderedProposal>> {
    assertProposable(options);
    const lines = await this.readProposed(ctx, request);
    const { method, path } = request;
    const identified = { ...ctx, idempotency: idempotencyOf(request) };
    try {
      return await this.proposer.propose(identified, { method, path, body: operationBody(lines) });
    } catch (error) {
      if (!(error instanceof OperationsError) || error.status >= 500) throw error;
      const faults = await untilDisconnected(request, (disconnected) =>
        this.imports.findFaults(ctx, lines, options, disconnected),
      );
      throw faults ?? error;
    }
  }

  private async readProposed(ctx: RequestContext, request: Request): Promise<BodyLine[]> {
    try {
      return await readProposedLines(readBodyLines(request, MAX_PROPOSED_BYTES));
    } catch (error) {
      throw error instanceof InventoryError ? await this.similarKeys.explainHeaderError(ctx, error) : error;
    }
  }

  /** Logs lines that the roles of the caller do not allow, in an import whose other lines were written. */
  private auditForbidden(request: Request, { errors }: ImportSummary): void {
    const [first, ...others] = errors.filter(({ code }) => code === 'forbidden');
    if (first) this.auditLog.logPartiallyForbidden(request, first.message, 1 + others.length);
  }
}

/** Of the body of an import that is proposed: as many as its operations can have. */
const MAX_PROPOSED_BYTES = 8 * 1024 * 1024;

const importBody = (request: Request): Omit<ImportBody, 'disconnected'> => ({
  readLines: (maxBytes) => readBodyLines(request, maxBytes),
  isReceived: () => request.complete,
  idempotency: () => idempotencyOf(request),
});

function renderSummary({ summary, impact }: ImportResult): string {
  const body = JSON.stringify(summary);
  if (impact === undefined) return body;
  const existingDevices = impact.devices - impact.newDevices;
  const preview = `{"dry_run":true,${body.slice(1, -1)},"existing_devices":${String(existingDevices)},"impact":${impact.body}}`;
  return withRules(preview, impact.rules);
}

/** In characters: how much of what lines changed is read at once. */
const MAX_READ_LENGTH = 1024 * 1024;

/** Renders the result of every line as NDJSON, in order. @param isDryRun a dry run has no ids of new resources */
async function* renderLineResults(
  { staging: { report, table }, isReplayed }: ImportResult,
  isDryRun: boolean,
): AsyncGenerator<string> {
  if (isReplayed) return;
  let line = 0;
  for await (const outcomes of table.outcomes(MAX_READ_LENGTH))
    for (const { line: valid, kind, name, sides } of outcomes) {
      while (++line < valid) yield* renderFailure(report, line);
      const outcome = report.resultOf(line);
      if (outcome?.result === 'failed') yield* renderFailure(report, line);
      else if (outcome) {
        const { result } = outcome;
        const id = isDryRun && result === 'created' ? null : outcome.id;
        const text = JSON.stringify({ line, result, kind, id, name });
        yield `${appendMembers(text, sides === null || result === 'unchanged' ? [] : [sides])}\n`;
      }
    }
  while (++line <= report.lastLine) yield* renderFailure(report, line);
}

function* renderFailure(report: ImportReport, line: number): Generator<string> {
  const outcome = report.resultOf(line);
  if (outcome?.result === 'failed')
    yield `${JSON.stringify({ line, result: 'failed' }).slice(0, -1)},${outcome.error.slice(1)}\n`;
}
