import { Controller, Param, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { READ } from '../auth/access';
import { Ctx } from '../auth/access.decorators';
import type { RequestContext } from '../core/context/request-context';
import { Answer } from '../http/response';
import { ResourceIdPipe } from '../http/resource-id';
import { ResourceReader } from '../resources/resource-reader';
import { ListRoute, ShowRoute, type Collection } from '../resources/resource-routes';
import { changeRecord, changeRecords, ChangeRecordView } from './change-record';

const collection: Collection = { listing: changeRecords, view: ChangeRecordView, reads: READ, writes: READ };

/** Change records are read-only. Every change writes its own. */
@ApiTags('changes')
@Controller('v1/changes')
export class ChangesController {
  constructor(private readonly reader: ResourceReader) {}

  @ListRoute(collection)
  async list(@Ctx() ctx: RequestContext, @Req() request: Request) {
    return this.reader.list(ctx, changeRecords, request);
  }

  @ShowRoute(collection)
  async show(
    @Ctx() ctx: RequestContext,
    @Param('id', new ResourceIdPipe(changeRecords.shape)) id: number,
    @Req() request: Request,
  ) {
    // No entity tag: records are immutable.
    return Answer.ok((await this.reader.one(ctx, changeRecord, id, request.query)).body);
  }
}
