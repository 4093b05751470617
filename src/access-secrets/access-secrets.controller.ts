import { Controller, Param, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { ADMIN } from '../auth/access';
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
import { accessSecrets, AccessSecretView, OpenAccessSecretView } from './access-secret';
import { CreateAccessSecret, UpdateAccessSecret } from './access-secret.dto';
import { AccessSecretsService } from './access-secrets.service';

const collection: Collection = {
  listing: accessSecrets,
  view: AccessSecretView,
  reads: ADMIN,
  writes: ADMIN,
};

@ApiTags('access-secrets')
@Controller('v1/access-secrets')
export class AccessSecretsController {
  constructor(
    private readonly service: AccessSecretsService,
    private readonly reader: ResourceReader,
  ) {}

  @CreateRoute(collection, CreateAccessSecret)
  async create(
    @Ctx() ctx: RequestContext,
    @ValidBody(CreateAccessSecret) body: CreateAccessSecret,
    @Req() request: Request,
  ) {
    return created('access-secrets', await this.service.create(ctx, body, request));
  }

  @ListRoute(collection)
  async list(@Ctx() ctx: RequestContext, @Req() request: Request) {
    return this.reader.list(ctx, accessSecrets, request);
  }

  @ShowRoute({ ...collection, view: OpenAccessSecretView })
  async show(@Ctx() ctx: RequestContext, @Param('id', ResourceIdPipe) id: number, @Req() request: Request) {
    return ok(await this.service.open(ctx, id, request));
  }

  @UpdateRoute(collection, UpdateAccessSecret)
  async update(
    @Ctx() ctx: RequestContext,
    @Param('id', ResourceIdPipe) id: number,
    @ValidBody(UpdateAccessSecret) body: UpdateAccessSecret,
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
