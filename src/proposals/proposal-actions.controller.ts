import { Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { Request } from 'express';
import { Ctx } from '../auth/access';
import { renderResults } from '../batch/batch.controller';
import { BatchResultView } from '../batch/batch.dto';
import type { PreparedWrite } from '../writes/prepared-write';
import type { RequestContext } from '../core/context/request-context';
import { ApiErrors } from '../http/api-errors';
import { ApiEmptyBody, jsonContent } from '../http/api-schemas';
import { EmptyBody, ValidBody } from '../http/body-validation';
import { TakesQuery } from '../http/query.guard';
import { queryOf } from '../http/request';
import { JsonResponse, renderWrite } from '../http/response';
import { parseIdPage } from '../lists/list-query';
import { ApiDevicePage } from '../resources/api-parameters';
import { creationOf } from '../resources/resource.controller';
import { ApiView, ApiWrite, Writes } from '../resources/resource-routes';
import { ApplyService } from './apply.service';
import { PreviewService } from './preview.service';
import { ProposalPreviewView } from './preview.dto';
import { ApiProposalConflict } from './proposal-error.dto';
import { NewReview, ProposalDetailsView } from './proposal.dto';
import { ApiOk, ProposalId, ProposalRoute } from './proposal-routes';
import { ReviewService } from './review.service';

/** Previewing, reviewing and applying proposals. */
@ApiTags('proposals')
@Controller('v1/proposals/:id')
export class ProposalActionsController {
  constructor(
    private readonly previews: PreviewService,
    private readonly reviews: ReviewService,
    private readonly applyService: ApplyService,
  ) {}

  @Get('preview')
  @TakesQuery()
  @ProposalRoute('proposalsPreview', 'Compute what a proposal would do now')
  @ApiDevicePage()
  @ApiOk(ProposalPreviewView, 'The preview.')
  @ApiErrors(400, 401, 403, 404)
  async preview(
    @Ctx() ctx: RequestContext,
    @ProposalId() id: number,
    @Req() request: Request,
  ): Promise<JsonResponse> {
    const page = { ...parseIdPage(request.query), path: request.path, query: queryOf(request) };
    return JsonResponse.ok(await this.previews.preview(ctx, id, page));
  }

  @Post('reviews')
  @HttpCode(201)
  @ProposalRoute('proposalsReview', 'Approve or reject a revision of a proposal')
  @Writes()
  @ApiBody({ type: NewReview })
  @ApiView(201, ProposalDetailsView, 'The proposal.')
  @ApiProposalConflict()
  @ApiErrors(400, 401, 403, 404, 405, 409, 415)
  async review(
    @Ctx() ctx: RequestContext,
    @ProposalId() id: number,
    @ValidBody(NewReview) body: NewReview,
  ): Promise<PreparedWrite> {
    return creationOf(await this.reviews.prepareReview(ctx, id, body));
  }

  @Post('apply')
  @HttpCode(200)
  @ProposalRoute('proposalsApply', 'Apply a proposal: do its operations, in order, in one change')
  @ApiWrite()
  @ApiEmptyBody()
  @ApiExtraModels(BatchResultView)
  @ApiResponse({
    status: 200,
    description: 'The results of the operations, in order.',
    content: jsonContent({ $ref: getSchemaPath(BatchResultView) }),
  })
  @ApiProposalConflict()
  @ApiErrors(400, 401, 403, 404, 405, 409, 412)
  async apply(
    @EmptyBody() _body: undefined,
    @Ctx() ctx: RequestContext,
    @ProposalId() id: number,
  ): Promise<JsonResponse> {
    const { prepared, write } = await this.applyService.apply(ctx, id);
    return renderWrite(write, (result) => renderResults(prepared, result));
  }
}
