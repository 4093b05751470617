import { Controller, Get, Put } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Access, Ctx, READ } from '../auth/access';
import type { RequestContext } from '../core/context/request-context';
import { ApiErrors } from '../http/api-errors';
import { ValidBody } from '../http/body-validation';
import { assertNoDryRunOrIdempotencyKey } from '../http/dry-run';
import { entityTag, representationTag } from '../http/entity-tag';
import { IfMatch, type Precondition } from '../http/preconditions';
import { JsonResponse } from '../http/response';
import { ApiIfMatch } from '../resources/resource-routes';
import { OwnViews } from './own-views.dto';
import { OwnViewsService } from './own-views.service';

const ApiOwnViews = (description: string) =>
  ApiResponse({
    status: 200,
    description: 'The views.',
    type: OwnViews,
    headers: { ETag: { description, schema: { type: 'string', example: '"1"' } } },
  });

/**
 * The views that the user of the request saved for themselves, in the project of the request. The path is below `/v1/session`,
 * which has what belongs to the user who is signed in; `/v1/views` is a collection of the project.
 */
@ApiTags('views')
@Controller('v1/session/views')
export class OwnViewsController {
  constructor(private readonly views: OwnViewsService) {}

  @Get()
  @Access(READ)
  @ApiOperation({
    operationId: 'sessionViewsShow',
    summary: 'Show the views that the user saved for themselves in the project',
    description: 'Nobody else sees them. They are not in change records.',
  })
  @ApiOwnViews('For `If-Match`: how often they were written, and a digest of the body.')
  @ApiErrors(400, 401)
  async show(@Ctx() ctx: RequestContext): Promise<JsonResponse> {
    const { views, version } = await this.views.read(ctx);
    const body = JSON.stringify({ views });
    return JsonResponse.ok(body, { etag: representationTag(version, body) });
  }

  @Put()
  @Access(READ)
  @ApiOperation({
    operationId: 'sessionViewsReplace',
    summary: 'Replace the views that the user saved for themselves in the project',
    description:
      'It needs no role. Without `If-Match`, it replaces those that another client has saved since they were read.',
  })
  @ApiIfMatch()
  @ApiBody({ type: OwnViews })
  @ApiOwnViews('For `If-Match`: how often they were written.')
  @ApiErrors(400, 401, 412, 413, 415)
  async replace(
    @Ctx() ctx: RequestContext,
    @ValidBody(OwnViews) { views }: OwnViews,
    @IfMatch() ifMatch: Precondition,
  ): Promise<JsonResponse> {
    assertNoDryRunOrIdempotencyKey(ctx);
    const version = await this.views.write(ctx, views, ifMatch);
    return JsonResponse.ok(JSON.stringify({ views }), { etag: entityTag(version) });
  }
}
