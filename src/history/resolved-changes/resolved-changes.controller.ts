import { Controller, Get, Inject, Param, Req } from '@nestjs/common';
import { ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Access, Ctx, READ_HISTORY } from '../../auth/access';
import type { RequestContext } from '../../core/context/request-context';
import { parameterReader } from '../../core/parameters';
import type { DeviceKind } from '../../devices/device-kind';
import { deviceKinds } from '../../devices/device-kinds';
import { ApiErrors } from '../../http/api-errors';
import { camelCase } from '../../http/api-schemas';
import { TakesQuery } from '../../http/query.guard';
import { ResourceIdPipe } from '../../http/resource-id';
import { JsonResponse } from '../../http/response';
import { parseStorableText } from '../../lists/list-filter';
import { LIMITS, readIdPage } from '../../lists/list-query';
import { namedClass } from '../../resources/members';
import { ApiId } from '../../resources/resource-routes';
import { ResolvedChangesService } from './resolved-changes.service';
import { ResolvedChangesView } from './resolved-changes.view';

/** The base class of the controllers for `{collection}/{id}/changes/resolved`: what altered what a device resolves to. */
function ResolvedChangesController({ mapping, definition }: DeviceKind) {
  @ApiTags('changes')
  abstract class ResolvedChangesRoutes {
    @Inject() private readonly changes!: ResolvedChangesService;

    @Get()
    @TakesQuery()
    @Access(READ_HISTORY)
    @ApiOperation({
      operationId: `${camelCase(mapping.kind)}ChangesResolved`,
      summary: `List the changes of the resolved variables of a ${mapping.kind.replaceAll('-', ' ')}`,
    })
    @ApiId(mapping)
    @ApiQuery({
      name: 'key',
      required: false,
      description: 'Only the changes of this variable.',
      schema: { type: 'string', example: 'ntp_servers' },
    })
    @ApiQuery({
      name: 'limit',
      required: false,
      description: 'The maximum number of changes.',
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
      description: 'The id of the last change seen: take it from a link.',
      schema: { type: 'string', example: '1' },
    })
    @ApiResponse({ status: 200, description: 'A page of the changes.', type: ResolvedChangesView })
    @ApiErrors(400, 401, 403, 404)
    async list(
      @Ctx() ctx: RequestContext,
      @Param('id', new ResourceIdPipe(mapping)) id: number,
      @Req() request: Request,
    ): Promise<JsonResponse> {
      const text = parameterReader(request.query, ['key', 'limit', 'marker']);
      const key = text('key');
      const page = {
        ...readIdPage(text),
        key: key === undefined ? undefined : parseStorableText('key', key),
      };
      return JsonResponse.ok(await this.changes.list(ctx, definition, id, page));
    }
  }
  return ResolvedChangesRoutes;
}

/** `v1/hosts/:id/changes/resolved`, and the same for each other kind of device. */
export const resolvedChangesControllers = deviceKinds.map((kind) => {
  // oxlint-disable-next-line eslint-js/no-restricted-syntax -- so that a new kind has the route without an entry here
  @Controller(`v1/${kind.mapping.collection}/:id/changes/resolved`)
  class DeviceResolvedChangesController extends ResolvedChangesController(kind) {}
  return namedClass(`${kind.entity.name}ResolvedChangesController`, DeviceResolvedChangesController);
});
