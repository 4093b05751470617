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
import { regions, RegionView } from './region';
import { CreateRegion, UpdateRegion } from './region.dto';
import { RegionsService } from './regions.service';

const collection: Collection = { listing: regions, view: RegionView, reads: READ, writes: write('regions') };

@ApiTags('regions')
@Controller('v1/regions')
export class RegionsController {
  constructor(
    private readonly service: RegionsService,
    private readonly reader: ResourceReader,
  ) {}

  @CreateRoute(collection, CreateRegion)
  async create(
    @Ctx() ctx: RequestContext,
    @ValidBody(CreateRegion) body: CreateRegion,
    @Req() request: Request,
  ) {
    return created('regions', await this.service.create(ctx, body, request));
  }

  @ListRoute(collection)
  async list(@Ctx() ctx: RequestContext, @Req() request: Request) {
    return this.reader.list(ctx, regions, request);
  }

  @ShowRoute(collection)
  async show(@Ctx() ctx: RequestContext, @Param('id', ResourceIdPipe) id: number, @Req() request: Request) {
    return ok(await this.reader.one(ctx, regions, id, request));
  }

  @UpdateRoute(collection, UpdateRegion, writeVariables('regions'))
  async update(
    @Ctx() ctx: RequestContext,
    @Param('id', ResourceIdPipe) id: number,
    @ValidBody(UpdateRegion) body: UpdateRegion,
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

/** The reference gives the path of creation in the singular, too. */
@ApiTags('regions')
@Controller('v1/region')
export class RegionController {
  constructor(private readonly service: RegionsService) {}

  @CreateRoute(collection, CreateRegion)
  async create(
    @Ctx() ctx: RequestContext,
    @ValidBody(CreateRegion) body: CreateRegion,
    @Req() request: Request,
  ) {
    return created('regions', await this.service.create(ctx, body, request));
  }
}
