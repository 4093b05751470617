import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { READ, Ctx } from '../auth/access';
import { PreparedWrite } from '../writes/prepared-write';
import type { RequestContext } from '../core/context/request-context';
import { ApiErrors } from '../http/api-errors';
import { ValidBody } from '../http/body-validation';
import { listResponse, ListUrlParam } from '../http/list-response';
import { JsonResponse } from '../http/response';
import type { ListUrl } from '../lists/list-page';
import { ApiView, ListRoute, type RouteOptions, Writes } from '../resources/resource-routes';
import { proposalComments } from './comment.mapping';
import { CommentsService } from './comments.service';
import { NewComment, ProposalCommentView } from './proposal.dto';
import { proposalMapping } from './proposal.entity';
import { ProposalId, ProposalRoute } from './proposal-routes';

const options: RouteOptions = {
  definition: proposalComments,
  view: ProposalCommentView,
  reads: READ,
  writes: READ,
};

@ApiTags('proposals')
@Controller('v1/proposals/:id/comments')
export class ProposalCommentsController {
  constructor(private readonly comments: CommentsService) {}

  @ListRoute(options, proposalMapping)
  async list(@Ctx() ctx: RequestContext, @ProposalId() id: number, @ListUrlParam() url: ListUrl) {
    return listResponse(await this.comments.list(ctx, id, url));
  }

  @Post()
  @HttpCode(201)
  @ProposalRoute('proposalsComment', 'Comment on a proposal')
  @Writes()
  @ApiBody({ type: NewComment })
  @ApiView(201, ProposalCommentView, 'Created.', { tagged: false })
  @ApiErrors(400, 401, 403, 404, 409, 415)
  create(
    @Ctx() ctx: RequestContext,
    @ProposalId() id: number,
    @ValidBody(NewComment) body: NewComment,
  ): PreparedWrite {
    return PreparedWrite.run(this.comments.prepareCreate(ctx, id, body), ({ text, url }) =>
      JsonResponse.created(text, url),
    );
  }
}
