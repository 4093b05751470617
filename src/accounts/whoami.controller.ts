import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiResponse, ApiTags, PickType } from '@nestjs/swagger';
import { Access, Ctx, READ } from '../auth/access';
import type { RequestContext } from '../core/context/request-context';
import { shownTime } from '../core/context/times';
import { ApiErrors } from '../http/api-errors';
import { AccountLookupService } from './account-lookup.service';
import { UserView } from './user.entity';
import { TimeProperty } from '../http/time-property';

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

  @TimeProperty({
    nullable: true,
    example: '2030-01-01T00:00:00.000000',
    description: 'When this key expires; `null`: never.',
  })
  key_expires_at!: string | null;
}

@ApiTags('users')
@Controller('v1/whoami')
export class WhoamiController {
  constructor(private readonly directory: AccountLookupService) {}

  @Get()
  @Access(READ)
  @ApiOperation({
    operationId: 'whoami',
    summary: 'Show who makes the request: user, project, roles and API key',
  })
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
      key_expires_at: shownTime(ctx, key?.expiresAt ?? null),
    };
  }
}
