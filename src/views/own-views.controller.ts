import { Controller, Get, Put } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Access, Ctx, READ } from '../auth/access';
import type { RequestContext } from '../core/context/request-context';
import { ApiErrors } from '../http/api-errors';
import { ValidBody } from '../http/body-validation';
import { assertNoDryRunOrIdempotencyKey } from '../http/dry-run';
import { OwnViews } from './own-views.dto';
import { OwnViewsService } from './own-views.service';

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
  @ApiResponse({ status: 200, description: 'The views.', type: OwnViews })
  @ApiErrors(400, 401)
  async show(@Ctx() ctx: RequestContext): Promise<OwnViews> {
    return { views: [...(await this.views.read(ctx))] };
  }

  @Put()
  @Access(READ)
  @ApiOperation({
    operationId: 'sessionViewsReplace',
    summary: 'Replace the views that the user saved for themselves in the project',
    description: 'It needs no role.',
  })
  @ApiBody({ type: OwnViews })
  @ApiResponse({ status: 200, description: 'The views.', type: OwnViews })
  @ApiErrors(400, 401, 415)
  async replace(@Ctx() ctx: RequestContext, @ValidBody(OwnViews) { views }: OwnViews): Promise<OwnViews> {
    assertNoDryRunOrIdempotencyKey(ctx);
    await this.views.write(ctx, views);
    return { views };
  }
}
