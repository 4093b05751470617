import { Controller, Get, HttpCode, Param, Post, Put, Req } from '@nestjs/common';
import { ApiBody, ApiParam, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { Request } from 'express';
import { READ, Ctx } from '../auth/access';
import type { PreparedWrite } from '../writes/prepared-write';
import type { RequestContext } from '../core/context/request-context';
import { ApiErrors } from '../http/api-errors';
import { ApiEmptyBody } from '../http/api-schemas';
import { EmptyBody, ValidBody } from '../http/body-validation';
import { listResponse, ListUrlParam } from '../http/list-response';
import { IfMatch, type Precondition } from '../http/preconditions';
import { TakesQuery } from '../http/query.guard';
import { LargeBody } from '../http/request-body';
import { ResourceIdPipe } from '../http/resource-id';
import { JsonResponse } from '../http/response';
import type { ListUrl } from '../lists/list-page';
import { resourceResponse, updateOf } from '../resources/resource.controller';
import { ResourceReader } from '../resources/resource-reader';
import { ApiIfMatch, ApiView, ListRoute, Writes } from '../resources/resource-routes';
import {
  ProposalDetailsView,
  ProposalRevisionDetailsView,
  ProposalRevisionView,
  UpdateProposal,
} from './proposal.dto';
import { proposals, ProposalView } from './proposal.entity';
import { ProposalReader } from './proposal-reader';
import { ApiOk, ProposalId, ProposalRoute } from './proposal-routes';
import { ProposalsService } from './proposals.service';

/**
 * Writes that wait for approval. They are created by the routes of these writes, with `?propose=<title>`: see `Proposer`.
 */
@ApiTags('proposals')
@Controller('v1/proposals')
export class ProposalsController {
  constructor(
    private readonly reader: ResourceReader,
    private readonly proposalReader: ProposalReader,
    private readonly proposals: ProposalsService,
  ) {}

  @ListRoute({ definition: proposals, view: ProposalView, reads: READ, writes: READ })
  async list(@Ctx() ctx: RequestContext, @ListUrlParam() url: ListUrl) {
    return listResponse(await this.reader.list(ctx, proposals, url));
  }

  @Get(':id')
  @TakesQuery()
  @ProposalRoute('proposalsShow', 'Show a proposal')
  @ApiView(200, ProposalDetailsView, 'Found.')
  @ApiErrors(400, 401, 403, 404)
  async show(@Ctx() ctx: RequestContext, @ProposalId() id: number, @Req() request: Request) {
    return resourceResponse(await this.proposalReader.show(ctx, id, request.query));
  }

  @Put(':id')
  @ProposalRoute(
    'proposalsUpdate',
    'Amend a proposal: change its members, or its operations in a new revision',
  )
  @Writes()
  @ApiIfMatch()
  @LargeBody()
  @ApiBody({ type: UpdateProposal })
  @ApiView(200, ProposalDetailsView, 'Changed.')
  @ApiErrors(400, 401, 403, 404, 405, 409, 412, 415, 429)
  async update(
    @Ctx() ctx: RequestContext,
    @ProposalId() id: number,
    @ValidBody(UpdateProposal) body: UpdateProposal,
    @IfMatch() ifMatch: Precondition,
  ): Promise<PreparedWrite> {
    return updateOf(await this.proposals.prepareUpdate(ctx, id, body, ifMatch));
  }

  @Get(':id/revisions')
  @ProposalRoute('proposalsRevisions', 'List the revisions of a proposal')
  @ApiOk(ProposalRevisionView, 'The revisions, oldest first.', {
    type: 'array',
    items: { $ref: getSchemaPath(ProposalRevisionView) },
  })
  @ApiErrors(400, 401, 403, 404)
  async revisions(@Ctx() ctx: RequestContext, @ProposalId() id: number): Promise<JsonResponse> {
    return JsonResponse.ok(await this.proposalReader.revisions(ctx, id));
  }

  @Get(':id/revisions/:revision')
  @ProposalRoute('proposalsRevision', 'Show a revision of a proposal')
  @ApiParam({ name: 'revision', description: 'Its number.', schema: { type: 'integer', example: 1 } })
  @ApiOk(ProposalRevisionDetailsView, 'Found.')
  @ApiErrors(400, 401, 403, 404)
  async revision(
    @Ctx() ctx: RequestContext,
    @ProposalId() id: number,
    @Param('revision', new ResourceIdPipe({ kind: 'revision', fields: {} })) revision: number,
  ): Promise<JsonResponse> {
    return JsonResponse.ok(await this.proposalReader.revision(ctx, id, revision));
  }

  @Post(':id/withdraw')
  @HttpCode(200)
  @ProposalRoute('proposalsWithdraw', 'Withdraw a proposal')
  @Writes()
  @ApiIfMatch()
  @ApiEmptyBody()
  @ApiView(200, ProposalDetailsView, 'Withdrawn.')
  @ApiErrors(400, 401, 403, 404, 409, 412)
  withdraw(
    @Ctx() ctx: RequestContext,
    @ProposalId() id: number,
    @EmptyBody() _body: undefined,
    @IfMatch() ifMatch: Precondition,
  ): PreparedWrite {
    return updateOf(this.proposals.prepareWithdraw(ctx, id, ifMatch));
  }
}
