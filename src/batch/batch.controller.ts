import { Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiOperation, ApiResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { READ, Access, Ctx, Proposable } from '../auth/access';
import { ChangesService } from '../changes/changes.service';
import type { SequenceResult } from '../changes/operation-sequence';
import { type Proposer, PROPOSER } from '../writes/proposer';
import { runOrPropose } from '../writes/run-or-propose';
import type { RequestContext } from '../core/context/request-context';
import { operationName } from '../core/errors';
import { splitJsonObject } from '../core/json/json-text';
import { ApiErrors } from '../http/api-errors';
import { jsonContent } from '../http/api-schemas';
import { ValidBody } from '../http/body-validation';
import { joinItems } from '../http/list-response';
import { LargeBody } from '../http/request-body';
import { JsonResponse, renderWrite } from '../http/response';
import { joinWarnings, prefixWarnings } from '../http/warnings';
import { ApiWrite } from '../resources/resource-routes';
import { BATCH_EXAMPLES, Batch, BatchResultView } from './batch.dto';
import { parseOperations } from './batch-request';
import { BatchService, isPrepared, type PreparedOperation, toSequencedOperation } from './batch.service';

@ApiTags('bulk')
@Controller('v1/batch')
export class BatchController {
  constructor(
    private readonly batches: BatchService,
    private readonly changes: ChangesService,
    @Inject(PROPOSER) private readonly proposer: Proposer,
  ) {}

  @Post()
  @HttpCode(200)
  // Each operation has the access of its own route.
  @Access(READ)
  @ApiOperation({
    operationId: 'batch',
    summary: 'Do several writes of the inventory, in order, in one change',
    description:
      'If operations fail, nothing is written, and the error names each operation that is invalid; of those that fail when they are written, a dry run names all, and a real batch the first.',
  })
  @ApiWrite()
  @Proposable('operations')
  @LargeBody()
  @ApiBody({ type: Batch, examples: BATCH_EXAMPLES })
  @ApiExtraModels(BatchResultView)
  @ApiResponse({
    status: 200,
    description: 'The results of the operations, in order.',
    content: jsonContent({ $ref: getSchemaPath(BatchResultView) }),
  })
  @ApiErrors(400, 401, 403, 404, 405, 409, 412, 415)
  async batch(@Ctx() ctx: RequestContext, @ValidBody(Batch) body: Batch): Promise<JsonResponse> {
    return runOrPropose(ctx, this.proposer, {
      run: () => this.run(ctx, body),
      propose: () => {
        const operations = splitJsonObject(body.operations.text).get('operations') ?? '[]';
        return this.proposer.propose(ctx, { operations, note: body.note });
      },
    });
  }

  private async run(ctx: RequestContext, body: Batch): Promise<JsonResponse> {
    const operations = parseOperations(body.operations);
    const prepared = await (ctx.preview
      ? this.batches.prepareForDryRun(ctx, operations)
      : this.batches.prepare(ctx, operations));
    const sequence = prepared.map((one) => (isPrepared(one) ? toSequencedOperation(one) : one));
    const write = await this.changes.runSequence(ctx, sequence, body.note);
    // A sequence with a rejected operation has no results.
    return renderWrite(write, (result) => renderResults(prepared.filter(isPrepared), result));
  }
}

/** The responses of the operations, in parts. Their warnings are those of the whole response, and name the operation. */
export function renderResults(
  prepared: readonly PreparedOperation[],
  { changeId, results }: SequenceResult,
): JsonResponse {
  const responses = prepared.map(({ id, write }, index) => ({ id, response: write.render(results[index]) }));
  const warnings = responses.flatMap(({ response: { headers } }, index) =>
    [headers['warning'] ?? []].flat().map((header) => prefixWarnings(header, `${operationName(index)}: `)),
  );
  const items = responses.map(({ id = null, response: { status, headers, body } }) => {
    const { etag = null } = headers;
    return `${JSON.stringify({ id, status, etag }).slice(0, -1)},"body":${textOf(body)}}`;
  });
  return JsonResponse.ok(
    joinItems(`{"change_id":${JSON.stringify(changeId)},"results":[`, items, ']}'),
    warnings.length > 0 ? { warning: joinWarnings(warnings) } : {},
  );
}

function textOf(body: JsonResponse['body']): string {
  if (body === undefined) return 'null';
  if (typeof body === 'string') return body;
  if (Symbol.iterator in body) return [...body].join('');
  throw new Error('the response to a write is not known as a whole');
}
