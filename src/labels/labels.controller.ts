import { Controller, Param, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { READ, write, writeVariables } from '../auth/access';
import { Ctx } from '../auth/access.decorators';
import type { RequestContext } from '../shared/context/request-context';
import { Answer } from '../shared/http/answer';
import type { Precondition } from '../shared/http/etag';
import { IfMatch } from '../shared/http/if-match';
import { ResourceIdPipe } from '../shared/http/resource-id';
import { ValidBody } from '../shared/http/valid-body';
import { created, ok } from '../variables/resource-answers';
import { ResourceReader } from '../variables/resource-reader';
import {
  CreateRoute,
  DeleteRoute,
  ListRoute,
  ShowRoute,
  UpdateRoute,
  type Collection,
} from '../variables/resource-routes';
import { labels, LabelView } from './label';
import { CreateLabel, UpdateLabel } from './label.dto';
import { LabelsService } from './labels.service';

const collection: Collection = { listing: labels, view: LabelView, reads: READ, writes: write('labels') };

@ApiTags('labels')
@Controller('v1/labels')
export class LabelsController {
  constructor(
    private readonly service: LabelsService,
    private readonly reader: ResourceReader,
  ) {}

  @CreateRoute(collection, CreateLabel)
  async create(
    @Ctx() ctx: RequestContext,
    @ValidBody(CreateLabel) body: CreateLabel,
    @Req() request: Request,
  ) {
    return created('labels', await this.service.create(ctx, body, request));
  }

  @ListRoute(collection)
  async list(@Ctx() ctx: RequestContext, @Req() request: Request) {
    return this.reader.list(ctx, labels, request);
  }

  @ShowRoute(collection)
  async show(@Ctx() ctx: RequestContext, @Param('id', ResourceIdPipe) id: number, @Req() request: Request) {
    return ok(await this.reader.one(ctx, labels, id, request));
  }

  @UpdateRoute(collection, UpdateLabel, writeVariables('labels'))
  async update(
    @Ctx() ctx: RequestContext,
    @Param('id', ResourceIdPipe) id: number,
    @ValidBody(UpdateLabel) body: UpdateLabel,
    @IfMatch() ifMatch: Precondition,
    @Req() request: Request,
  ) {
    return ok(await this.service.update(ctx, id, body, ifMatch, request));
  }

  @DeleteRoute(collection)
  async delete(
    @Ctx() ctx: RequestContext,
    @Param('id', ResourceIdPipe) id: number,
    @IfMatch() ifMatch: Precondition,
  ) {
    await this.service.delete(ctx, id, ifMatch);
    return Answer.noContent();
  }
}
