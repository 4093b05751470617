import { Note } from '../../resources/body-members';
import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import {
  ApiBody,
  ApiExtraModels,
  ApiOperation,
  ApiPropertyOptional,
  ApiResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { READ_HISTORY, Access, Ctx, Proposable } from '../../auth/access';
import { ApiId, Writes } from '../../resources/resource-routes';
import { PreparedWrite } from '../../writes/prepared-write';
import type { RequestContext } from '../../core/context/request-context';
import { JsonResponse } from '../../http/response';
import { ApiErrors } from '../../http/api-errors';
import { ResourceIdPipe } from '../../http/resource-id';
import { OptionalBody, JsonCheck, Optional } from '../../http/body-validation';
import { changeRecords, ChangeRecordView } from '../change-record';
import { RevertService } from './revert.service';
import { fault, type Fault } from '../../core/error-details';

/** The maximum number of further changes that one request reverts. */
const MAX_ADDITIONAL = 99;

function additionalIdsError(value: unknown): Fault | undefined {
  const message = `must be an array of at most ${String(MAX_ADDITIONAL)} ids of changes`;
  if (!Array.isArray(value) || !value.every((id) => Number.isSafeInteger(id) && Number(id) > 0))
    return fault('invalid_type', message);
  return value.length <= MAX_ADDITIONAL ? undefined : fault('too_long', message);
}

export class RevertChange {
  @Optional()
  @JsonCheck('additionalIds', additionalIdsError)
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'integer', format: 'int64', minimum: 1 },
    maxItems: MAX_ADDITIONAL,
    example: [16],
    description:
      'The ids of further changes of the same project. All are reverted by one new change, newest first, so that a change is no conflict for an older one.',
  })
  additional_ids?: number[];

  @Note()
  note?: string | null;
}

@ApiTags('changes')
@Controller('v1/changes/:id/revert')
export class RevertController {
  constructor(private readonly reverts: RevertService) {}

  // The service checks the access, because it depends on what the change touched.
  @Post()
  @HttpCode(201)
  @Access(READ_HISTORY)
  @ApiOperation({ operationId: 'changesRevert', summary: 'Revert a change, or several, with a new change' })
  @ApiId(changeRecords.mapping)
  @Writes()
  @Proposable()
  @ApiBody({ type: RevertChange, required: false })
  @ApiExtraModels(ChangeRecordView)
  @ApiResponse({
    status: 201,
    description: 'The record of the new change.',
    headers: {
      Location: {
        description: 'The URL of the record.',
        schema: { type: 'string', example: 'http://127.0.0.1:7780/v1/changes/2' },
      },
    },
    content: { 'application/json': { schema: { $ref: getSchemaPath(ChangeRecordView) } } },
  })
  @ApiErrors(400, 401, 403, 404, 405, 409, 415)
  revert(
    @Ctx() ctx: RequestContext,
    @Param('id', new ResourceIdPipe(changeRecords.mapping)) id: number,
    @OptionalBody(RevertChange) body: RevertChange,
  ): PreparedWrite {
    const operation = this.reverts.prepareRevert(ctx, id, body.additional_ids ?? [], body.note);
    return PreparedWrite.run(operation, (record) => JsonResponse.created(record.body, record.url));
  }
}
