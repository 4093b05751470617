import { applyDecorators, Delete, Get, HttpCode, Inject, Param, Put } from '@nestjs/common';
import {
  ApiBody,
  ApiExtraModels,
  ApiOperation,
  ApiProperty,
  ApiResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { READ, write, Access, Ctx } from '../auth/access';
import { labelNamesError, MAX_NAMES, parseLabelNames } from '../labels/label-names';
import type { RequestContext } from '../core/context/request-context';
import { JsonResponse } from '../http/response';
import { ApiErrors } from '../http/api-errors';
import { entityTag, representationTag } from '../http/entity-tag';
import { IfMatch, type Precondition } from '../http/preconditions';
import { LargeBody, TakesDeleteBody } from '../http/request-body';
import { ResourceIdPipe } from '../http/resource-id';
import { ValidBody, JsonCheck, ReadsWith } from '../http/body-validation';
import { ApiId, ApiIfMatch, Writes } from '../resources/resource-routes';
import type { DeviceKind } from './device-kind';
import { noContentResponse } from '../resources/resource.controller';
import { PreparedWrite } from '../writes/prepared-write';
import { DeviceLabelsService, type DeviceLabels } from './device-labels.service';

function shownLabels({ labels, version }: DeviceLabels): JsonResponse {
  const body = JSON.stringify({ labels });
  return JsonResponse.ok(body, { etag: representationTag(version, body) });
}

const writtenLabels = ({ labels, version }: DeviceLabels): JsonResponse =>
  JsonResponse.ok(JSON.stringify({ labels }), { etag: entityTag(version) });

class LabelSet {
  @ApiProperty({ type: [String], maxItems: MAX_NAMES, example: ['compute'] })
  @ReadsWith(parseLabelNames)
  @JsonCheck('labels', labelNamesError)
  labels!: string[];
}

const ApiLabelSet = () =>
  applyDecorators(
    ApiExtraModels(LabelSet),
    ApiResponse({
      status: 200,
      description: 'The names of the labels, sorted by code point.',
      headers: { ETag: { description: "The device's version, for `If-Match`.", schema: { type: 'string' } } },
      content: { 'application/json': { schema: { $ref: getSchemaPath(LabelSet) } } },
    }),
  );

/** The base class of the controllers for `{collection}/{id}/labels` of a kind of device. */
export function DeviceLabelsController(kind: DeviceKind) {
  const { mapping } = kind;

  @ApiTags(mapping.collection)
  abstract class DeviceLabelRoutes {
    @Inject() private readonly labels!: DeviceLabelsService;

    @Get()
    @Access(READ)
    @ApiOperation({ summary: `Show the labels of a ${mapping.kind}` })
    @ApiId(mapping)
    @ApiLabelSet()
    @ApiErrors(400, 401, 404)
    async get(@Ctx() ctx: RequestContext, @Param('id', new ResourceIdPipe(mapping)) id: number) {
      return shownLabels(await this.labels.get(ctx, kind, id));
    }

    @Put()
    @Access(write(mapping.collection))
    @ApiOperation({ summary: `Add labels to a ${mapping.kind}` })
    @ApiId(mapping)
    @Writes()
    @ApiIfMatch()
    @LargeBody()
    @ApiBody({ type: LabelSet })
    @ApiLabelSet()
    @ApiErrors(400, 401, 403, 404, 405, 412, 415)
    add(
      @Ctx() ctx: RequestContext,
      @Param('id', new ResourceIdPipe(mapping)) id: number,
      @ValidBody(LabelSet) body: LabelSet,
      @IfMatch() ifMatch: Precondition,
    ): PreparedWrite {
      return PreparedWrite.update(this.labels.prepareAdd(ctx, kind, id, body.labels, ifMatch), writtenLabels);
    }

    @Delete()
    @HttpCode(204)
    @Access(write(mapping.collection))
    @ApiOperation({ summary: `Remove labels from a ${mapping.kind}` })
    @ApiId(mapping)
    @Writes()
    @ApiIfMatch()
    @TakesDeleteBody()
    @LargeBody()
    @ApiBody({ type: LabelSet })
    @ApiResponse({ status: 204, description: 'The labels were removed, or were not assigned.' })
    @ApiErrors(400, 401, 403, 404, 405, 412, 415)
    remove(
      @Ctx() ctx: RequestContext,
      @Param('id', new ResourceIdPipe(mapping)) id: number,
      @ValidBody(LabelSet) body: LabelSet,
      @IfMatch() ifMatch: Precondition,
    ): PreparedWrite {
      return PreparedWrite.update(
        this.labels.prepareRemove(ctx, kind, id, body.labels, ifMatch),
        noContentResponse,
      );
    }
  }
  return DeviceLabelRoutes;
}
