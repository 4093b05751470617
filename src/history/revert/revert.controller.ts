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
import { READ_HISTORY, Access, Ctx } from '../../auth/access';
import { ApiId, ApiWrite } from '../../resources/resource-routes';
import { ChangesService } from '../../changes/changes.service';
import type { RequestContext } from '../../core/context/request-context';
import { JsonResponse, renderWrite } from '../../http/response';
import { ApiErrors } from '../../http/api-errors';
import { ResourceIdPipe } from '../../http/resource-id';
import { OptionalBody, JsonCheck, Optional } from '../../http/body-validation';
import { changeRecords, ChangeRecordView } from '../change-record';
import { RevertService } from './revert.service';

/** The maximum number of further changes that one request reverts. */
const MAX_ADDITIONAL = 99;

const additionalIdsError = (value: unknown): string | undefined =>
  Array.isArray(value) &&
  value.length <= MAX_ADDITIONAL &&
  value.every((id) => Number.isSafeInteger(id) && Number(id) > 0)
    ? undefined
    : `must be an array of at most ${String(MAX_ADDITIONAL)} ids of changes`;

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
  constructor(
    private readonly reverts: RevertService,
    private readonly changes: ChangesService,
  ) {}

  // The service checks the access, because it depends on what the change touched.
  @Post()
  @HttpCode(201)
  @Access(READ_HISTORY)
  @ApiOperation({ operationId: 'changesRevert', summary: 'Revert a change, or several, with a new change' })
  @ApiId(changeRecords.mapping)
  @ApiWrite()
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
  async revert(
    @Ctx() ctx: RequestContext,
    @Param('id', new ResourceIdPipe(changeRecords.mapping)) id: number,
    @OptionalBody(RevertChange) body: RevertChange,
  ) {
    const operation = this.reverts.prepareRevert(ctx, id, body.additional_ids ?? [], body.note);
    return renderWrite(await this.changes.run(ctx, operation), (record) =>
      JsonResponse.created(record.body, record.url),
    );
  }
}
