import { applyDecorators, Controller, Delete, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Access, CREATE_KEY, Ctx, SELF_OR_ADMIN, type RouteAccess } from '../auth/access';
import { PreparedWrite } from '../writes/prepared-write';
import type { RequestContext } from '../core/context/request-context';
import { sql } from '../database/sql';
import { ApiErrors } from '../http/api-errors';
import { ContainsSecret } from '../http/compression';
import { OptionalBody } from '../http/body-validation';
import { listResponse, ListUrlParam } from '../http/list-response';
import { IfMatch, type Precondition } from '../http/preconditions';
import { ResourceIdPipe } from '../http/resource-id';
import type { ListUrl } from '../lists/list-page';
import type { TableSource } from '../lists/selection';
import { creationOf, noContentResponse } from '../resources/resource.controller';
import { ResourceReader } from '../resources/resource-reader';
import { ApiId, ApiIfMatch, ApiView, ListRoute, Writes } from '../resources/resource-routes';
import { AccountLookupService } from './account-lookup.service';
import { apiKeys, ApiKeyView } from './api-keys';
import { userMapping, UserWithKeyView } from './user.entity';
import { NewApiKeyBody } from './user.dto';
import { assertSelfOrAdmin, UsersService } from './users.service';

@ApiTags('users')
@Controller('v1/users')
export class ApiKeysController {
  constructor(private readonly users: UsersService) {}

  @Post(':id/api-key')
  @HttpCode(201)
  @ContainsSecret()
  @Access(CREATE_KEY)
  @ApiOperation({
    operationId: 'userApiKeysReplace',
    summary: "Create an API key for a user and revoke the user's other keys",
  })
  @ApiId(userMapping)
  @Writes()
  @ApiIfMatch()
  @ApiBody({ type: NewApiKeyBody, required: false })
  @ApiView(201, UserWithKeyView, 'The user, with the key.')
  @ApiErrors(400, 401, 403, 404, 412, 415)
  newKey(
    @Ctx() ctx: RequestContext,
    @Param('id', new ResourceIdPipe(userMapping)) id: number,
    @OptionalBody(NewApiKeyBody) body: NewApiKeyBody,
    @IfMatch() ifMatch: Precondition,
  ): PreparedWrite {
    return creationOf(this.users.prepareReplaceKeys(ctx, id, body, ifMatch));
  }
}

const options = { definition: apiKeys, view: ApiKeyView, reads: SELF_OR_ADMIN, writes: SELF_OR_ADMIN };
const userId = new ResourceIdPipe(userMapping);

const ApiKeyWrite = (summary: string, access: RouteAccess) =>
  applyDecorators(Access(access), ApiOperation({ summary }), ApiId(userMapping), Writes(), ApiIfMatch());

/** The single keys of a user. With several keys, a new one can be distributed before the old one is revoked. */
@ApiTags('users')
@Controller('v1/users/:id/api-keys')
export class UserApiKeysController {
  constructor(
    private readonly users: UsersService,
    private readonly directory: AccountLookupService,
    private readonly reader: ResourceReader,
  ) {}

  @ListRoute(options, userMapping)
  async list(@Ctx() ctx: RequestContext, @Param('id', userId) id: number, @ListUrlParam() url: ListUrl) {
    // As in every list, a malformed query fails before anything is looked up.
    this.reader.validateListQuery(apiKeys, url);
    assertSelfOrAdmin(ctx, id);
    const project = await this.directory.requireUser(ctx, id);
    const keys: TableSource = { kind: 'table', drivingRows: undefined, where: sql`t.user_id = ${id}` };
    return listResponse(await this.reader.list(ctx, apiKeys, url, keys, project));
  }

  @Post()
  @HttpCode(201)
  @ContainsSecret()
  @ApiKeyWrite("Create a further API key for a user; the user's other keys stay valid", CREATE_KEY)
  @ApiBody({ type: NewApiKeyBody, required: false })
  @ApiView(201, UserWithKeyView, 'The user, with the key.')
  @ApiErrors(400, 401, 403, 404, 412, 415)
  create(
    @Ctx() ctx: RequestContext,
    @Param('id', userId) id: number,
    @OptionalBody(NewApiKeyBody) body: NewApiKeyBody,
    @IfMatch() ifMatch: Precondition,
  ): PreparedWrite {
    return creationOf(this.users.prepareAddKey(ctx, id, body, ifMatch));
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
  revoke(
    @Ctx() ctx: RequestContext,
    @Param('id', userId) id: number,
    @Param('key_id') keyId: string,
    @IfMatch() ifMatch: Precondition,
  ): PreparedWrite {
    return PreparedWrite.run(this.users.prepareRevokeKey(ctx, id, keyId, ifMatch), noContentResponse);
  }
}
