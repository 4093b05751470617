import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ADMIN, CREATE_KEY, READ_USERS } from '../auth/access';
import { Access, Ctx } from '../auth/access.decorators';
import type { RequestContext } from '../core/context/request-context';
import { ApiErrors } from '../http/api-errors';
import type { Precondition } from '../http/etag';
import { IfMatch } from '../http/preconditions';
import { ResourceIdPipe } from '../http/resource-id';
import { OptionalBody } from '../http/body-validation';
import { createdResponse, resourceController } from '../resources/resource.controller';
import { ApiId, ApiIfMatch, ApiView, ApiWrite } from '../resources/resource-routes';
import { users, userShape, UserView, UserWithKeyView } from './user';
import { CreateUser, NewApiKeyBody, UpdateUser } from './user.dto';
import { UsersService } from './users.service';

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
  constructor(private readonly users: UsersService) {}

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
    return createdResponse(await this.users.replaceKeys(ctx, id, body, ifMatch));
  }
}
