import { Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiOperation, ApiResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { Request } from 'express';
import { ADMIN, READ, SELF_OR_ADMIN } from '../auth/access';
import { Access, Ctx } from '../auth/access.decorators';
import type { RequestContext } from '../shared/context/request-context';
import { Answer } from '../shared/http/answer';
import { ApiErrors } from '../shared/http/api-errors';
import type { Precondition } from '../shared/http/etag';
import { IfMatch } from '../shared/http/if-match';
import { ResourceIdPipe } from '../shared/http/resource-id';
import { OptionalBody, ValidBody } from '../shared/http/valid-body';
import { created, ok } from '../variables/resource-answers';
import { ResourceReader } from '../variables/resource-reader';
import {
  ApiId,
  ApiReason,
  CreateRoute,
  DeleteRoute,
  ListRoute,
  ShowRoute,
  UpdateRoute,
  type Collection,
} from '../variables/resource-routes';
import { users, userShape, UserView, UserWithKeyView } from './user';
import { CreateUser, NewApiKeyBody, UpdateUser } from './user.dto';
import { UsersService } from './users.service';

const collection: Collection = { listing: users, view: UserView, reads: READ, writes: ADMIN };

@ApiTags('users')
@Controller('v1/users')
export class UsersController {
  constructor(
    private readonly service: UsersService,
    private readonly reader: ResourceReader,
  ) {}

  @CreateRoute(collection, CreateUser, UserWithKeyView)
  async create(@Ctx() ctx: RequestContext, @ValidBody(CreateUser) body: CreateUser, @Req() request: Request) {
    return created('users', await this.service.create(ctx, body, request));
  }

  @ListRoute(collection)
  async list(@Ctx() ctx: RequestContext, @Req() request: Request) {
    return this.reader.list(ctx, users, request);
  }

  @ShowRoute(collection)
  async show(@Ctx() ctx: RequestContext, @Param('id', ResourceIdPipe) id: number, @Req() request: Request) {
    return ok(await this.reader.one(ctx, users, id, request));
  }

  @UpdateRoute(collection, UpdateUser)
  async update(
    @Ctx() ctx: RequestContext,
    @Param('id', ResourceIdPipe) id: number,
    @ValidBody(UpdateUser) body: UpdateUser,
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

  @Post(':id/api-key')
  @HttpCode(201)
  @Access(SELF_OR_ADMIN)
  @ApiOperation({ summary: "Give a user a new API key; the user's other keys end" })
  @ApiId(userShape)
  @ApiReason()
  @ApiBody({ type: NewApiKeyBody, required: false })
  @ApiExtraModels(UserWithKeyView)
  @ApiResponse({
    status: 201,
    description: 'The user, with the key.',
    content: { 'application/json': { schema: { $ref: getSchemaPath(UserWithKeyView) } } },
  })
  @ApiErrors(400, 401, 403, 404, 413, 415)
  async newKey(
    @Ctx() ctx: RequestContext,
    @Param('id', ResourceIdPipe) id: number,
    @OptionalBody(NewApiKeyBody) body: NewApiKeyBody,
    @Req() request: Request,
  ) {
    return created('users', await this.service.newKey(ctx, id, body, request));
  }
}
