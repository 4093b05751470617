import { Controller, Param, Req, type Type } from '@nestjs/common';
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
import { named } from '../variables/variables.controller';
import type { DeviceKind } from './device-kind';
import type { CreateDevice, UpdateDevice } from './device.dto';
import { DevicesService } from './devices.service';

/** The routes of a kind of device: `/v1/hosts`, `/v1/network-devices` and what else is in the list of kinds. */
export function deviceController(kind: DeviceKind): Type {
  const { listing, view, shape } = kind;
  const collection: Collection = { listing, view, reads: READ, writes: write(shape.collection) };

  @ApiTags(shape.collection)
  @Controller(`v1/${shape.collection}`)
  class DeviceController {
    constructor(
      private readonly devices: DevicesService,
      private readonly reader: ResourceReader,
    ) {}

    @CreateRoute(collection, kind.create)
    async create(
      @Ctx() ctx: RequestContext,
      @ValidBody(kind.create) body: CreateDevice,
      @Req() request: Request,
    ) {
      return created(shape.collection, await this.devices.create(ctx, kind, body, request));
    }

    @ListRoute(collection)
    async list(@Ctx() ctx: RequestContext, @Req() request: Request) {
      return this.reader.list(ctx, listing, request);
    }

    @ShowRoute(collection)
    async show(@Ctx() ctx: RequestContext, @Param('id', ResourceIdPipe) id: number, @Req() request: Request) {
      return ok(await this.reader.one(ctx, listing, id, request));
    }

    @UpdateRoute(collection, kind.update, writeVariables(shape.collection))
    async update(
      @Ctx() ctx: RequestContext,
      @Param('id', ResourceIdPipe) id: number,
      @ValidBody(kind.update) body: UpdateDevice,
      @IfMatch() ifMatch: Precondition,
      @Req() request: Request,
    ) {
      return ok(await this.devices.update(ctx, kind, id, body, ifMatch, request));
    }

    @DeleteRoute(collection)
    async delete(
      @Ctx() ctx: RequestContext,
      @Param('id', ResourceIdPipe) id: number,
      @IfMatch() ifMatch: Precondition,
    ) {
      await this.devices.delete(ctx, kind, id, ifMatch);
      return Answer.noContent();
    }
  }
  return named(DeviceController, shape.collection);
}
