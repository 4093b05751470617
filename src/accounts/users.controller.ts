import { Controller, HttpCode, Param, Post, applyDecorators, Delete, Get } from '@nestjs/common';
import {
  ApiBody,
  ApiOperation,
  ApiTags,
  ApiParam,
  ApiResponse,
  ApiProperty,
  PickType,
} from '@nestjs/swagger';
import {
  ADMIN,
  CREATE_KEY,
  READ_USERS,
  SELF_OR_ADMIN,
  type RouteAccess,
  Access,
  Ctx,
  READ,
} from '../auth/access';
import type { RequestContext } from '../core/context/request-context';
import { ApiErrors } from '../http/api-errors';
import { IfMatch, type Precondition } from '../http/preconditions';
import { ResourceIdPipe } from '../http/resource-id';
import { OptionalBody } from '../http/body-validation';
import { createdResponse, resourceController, noContentResponse } from '../resources/resource.controller';
import { ApiId, ApiIfMatch, ApiView, ApiWrite, ListRoute } from '../resources/resource-routes';
import { users, userShape, UserView, UserWithKeyView, CreateUser, NewApiKeyBody, UpdateUser } from './user';
import { ChangesService } from '../changes/changes.service';
import { UsersService, assertSelfOrAdmin } from './users.service';
import { ResourceReader } from '../resources/resource-reader';
import { listResponse, ListUrlParam } from '../http/list-response';
import type { ListUrl } from '../list/list-page';
import { sql } from '../database/sql';
import { apiKeys, ApiKeyView } from './api-keys';
import { AccountLookupService } from './account-lookup.service';

export const UsersController = resourceController({
  collection: {
    definition: users,
    view: UserView,
    createdView: UserWithKeyView,
    reads: READ_USERS,
    writes: ADMIN,
  },
  create: CreateUser,
  update: UpdateUser,
  service: UsersService,
});

@ApiTags('users')
@Controller('v1/users')
export class ApiKeysController {
  constructor(
    private readonly users: UsersService,
    private readonly changes: ChangesService,
  ) {}

  @Post(':id/api-key')
  @HttpCode(201)
  @Access(CREATE_KEY)
  @ApiOperation({ summary: "Create an API key for a user and revoke the user's other keys" })
  @ApiId(userShape)
  @ApiWrite()
  @ApiIfMatch()
  @ApiBody({ type: NewApiKeyBody, required: false })
  @ApiView(201, UserWithKeyView, 'The user, with the key.')
  @ApiErrors(400, 401, 403, 404, 412, 415)
  async newKey(
    @Ctx() ctx: RequestContext,
    @Param('id', new ResourceIdPipe(userShape)) id: number,
    @OptionalBody(NewApiKeyBody) body: NewApiKeyBody,
    @IfMatch() ifMatch: Precondition,
  ) {
    return createdResponse(
      await this.changes.run(ctx, this.users.prepareReplaceKeys(ctx, id, body, ifMatch)),
    );
  }
}

const collection = { definition: apiKeys, view: ApiKeyView, reads: SELF_OR_ADMIN, writes: SELF_OR_ADMIN };
const userId = new ResourceIdPipe(userShape);

const ApiKeyWrite = (summary: string, access: RouteAccess) =>
  applyDecorators(Access(access), ApiOperation({ summary }), ApiId(userShape), ApiWrite(), ApiIfMatch());

/** The single keys of a user. With several keys, a new one can be distributed before the old one is revoked. */
@ApiTags('users')
@Controller('v1/users/:id/api-keys')
export class UserKeysController {
  constructor(
    private readonly users: UsersService,
    private readonly changes: ChangesService,
    private readonly directory: AccountLookupService,
    private readonly reader: ResourceReader,
  ) {}

  @ListRoute(collection, userShape)
  async list(@Ctx() ctx: RequestContext, @Param('id', userId) id: number, @ListUrlParam() url: ListUrl) {
    // As in every list, a malformed query fails before anything is looked up.
    this.reader.validateListQuery(apiKeys, url);
    assertSelfOrAdmin(ctx, id);
    const project = await this.directory.requireUser(ctx, id);
    return listResponse(
      await this.reader.list(ctx, apiKeys, url, { where: sql`t.user_id = ${id}` }, project),
    );
  }

  @Post()
  @HttpCode(201)
  @ApiKeyWrite("Create a further API key for a user; the user's other keys stay valid", CREATE_KEY)
  @ApiBody({ type: NewApiKeyBody, required: false })
  @ApiView(201, UserWithKeyView, 'The user, with the key.')
  @ApiErrors(400, 401, 403, 404, 412, 415)
  async add(
    @Ctx() ctx: RequestContext,
    @Param('id', userId) id: number,
    @OptionalBody(NewApiKeyBody) body: NewApiKeyBody,
    @IfMatch() ifMatch: Precondition,
  ) {
    return createdResponse(await this.changes.run(ctx, this.users.prepareAddKey(ctx, id, body, ifMatch)));
  }

  @Delete(':key_id')
  @HttpCode(204)
  @ApiKeyWrite("Revoke one of a user's API keys", SELF_OR_ADMIN)
  @ApiParam({
    name: 'key_id',
    description: 'The id of the key: its part between the underscores.',
    schema: { type: 'string', example: '0123456789abcdef' },
  })
  @ApiResponse({ status: 204, description: 'Revoked.' })
  @ApiErrors(400, 401, 403, 404, 409, 412)
  async end(
    @Ctx() ctx: RequestContext,
    @Param('id', userId) id: number,
    @Param('key_id') keyId: string,
    @IfMatch() ifMatch: Precondition,
  ) {
    return noContentResponse(
      await this.changes.run(ctx, this.users.prepareRevokeKey(ctx, id, keyId, ifMatch)),
    );
  }
}

/** The caller of a request, as the service has identified it. */
class CallerView extends PickType(UserView, ['username', 'is_admin', 'is_root', 'roles']) {
  @ApiProperty({ type: 'integer', format: 'int64', example: 2 })
  user_id!: number;

  @ApiProperty({
    format: 'uuid',
    example: '717e9a21-6e2d-44e0-bc84-8398563bda06',
    description: 'The project of the request.',
  })
  project_id!: string;

  @ApiProperty({ example: 'fleet' })
  project_name!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: '0123456789abcdef',
    description:
      'The id of the API key of the request; `null` with a token of Keystone or of an OpenID provider.',
  })
  key_id!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: '2030-01-01T00:00:00.000000',
    description: 'When this key expires, in UTC; `null`: never.',
  })
  key_expires_at!: string | null;
}

@ApiTags('users')
@Controller('v1/whoami')
export class WhoamiController {
  constructor(private readonly directory: AccountLookupService) {}

  @Get()
  @Access(READ)
  @ApiOperation({ summary: 'Show who makes the request: user, project, roles and API key' })
  @ApiResponse({ status: 200, description: 'The caller.', type: CallerView })
  @ApiErrors(400, 401, 404)
  async show(@Ctx() ctx: RequestContext): Promise<CallerView> {
    const { principal, key } = ctx;
    const project = await this.directory.project(ctx, ctx.projectId);
    return {
      user_id: principal.userId,
      username: principal.username,
      project_id: project.id,
      project_name: project.name,
      is_admin: principal.isAdmin,
      is_root: principal.isRoot,
      roles: principal.roles,
      key_id: key?.id ?? null,
      key_expires_at: key?.expiresAt ?? null,
    };
  }
}
