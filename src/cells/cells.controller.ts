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
import { cells, CellView } from './cell';
import { CreateCell, UpdateCell } from './cell.dto';
import { CellsService } from './cells.service';

const collection: Collection = { listing: cells, view: CellView, reads: READ, writes: write('cells') };

@ApiTags('cells')
@Controller('v1/cells')
export class CellsController {
  constructor(
    private readonly service: CellsService,
    private readonly reader: ResourceReader,
  ) {}

  @CreateRoute(collection, CreateCell)
  async create(@Ctx() ctx: RequestContext, @ValidBody(CreateCell) body: CreateCell, @Req() request: Request) {
    return created('cells', await this.service.create(ctx, body, request));
  }

  @ListRoute(collection)
  async list(@Ctx() ctx: RequestContext, @Req() request: Request) {
    return this.reader.list(ctx, cells, request);
  }

  @ShowRoute(collection)
  async show(@Ctx() ctx: RequestContext, @Param('id', ResourceIdPipe) id: number, @Req() request: Request) {
    return ok(await this.reader.one(ctx, cells, id, request));
  }

  @UpdateRoute(collection, UpdateCell, writeVariables('cells'))
  async update(
    @Ctx() ctx: RequestContext,
    @Param('id', ResourceIdPipe) id: number,
    @ValidBody(UpdateCell) body: UpdateCell,
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
