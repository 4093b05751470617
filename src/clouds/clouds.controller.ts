import { Controller, Param, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { READ, write } from '../auth/access';
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
import { clouds, CloudView } from './cloud';
import { CreateCloud, UpdateCloud } from './cloud.dto';
import { CloudsService } from './clouds.service';

const collection: Collection = { listing: clouds, view: CloudView, reads: READ, writes: write('clouds') };

@ApiTags('clouds')
@Controller('v1/clouds')
export class CloudsController {
  constructor(
    private readonly service: CloudsService,
    private readonly reader: ResourceReader,
  ) {}

  @CreateRoute(collection, CreateCloud)
  async create(
    @Ctx() ctx: RequestContext,
    @ValidBody(CreateCloud) body: CreateCloud,
    @Req() request: Request,
  ) {
    return created('clouds', await this.service.create(ctx, body, request));
  }

  @ListRoute(collection)
  async list(@Ctx() ctx: RequestContext, @Req() request: Request) {
    return this.reader.list(ctx, clouds, request);
  }

  @ShowRoute(collection)
  async show(@Ctx() ctx: RequestContext, @Param('id', ResourceIdPipe) id: number, @Req() request: Request) {
    return ok(await this.reader.one(ctx, clouds, id, request));
  }

  @UpdateRoute(collection, UpdateCloud)
  async update(
    @Ctx() ctx: RequestContext,
    @Param('id', ResourceIdPipe) id: number,
    @ValidBody(UpdateCloud) body: UpdateCloud,
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
