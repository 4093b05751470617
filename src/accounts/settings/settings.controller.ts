import { applyDecorators, Controller, Get, Param, Put } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiOperation, ApiResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { ADMIN, Access, Ctx, Proposable } from '../../auth/access';
import type { RequestContext } from '../../core/context/request-context';
import { ApiErrors } from '../../http/api-errors';
import { IfMatch, type Precondition } from '../../http/preconditions';
import { LargeBody } from '../../http/request-body';
import { ProjectIdPipe } from '../../http/resource-id';
import { ValidBody } from '../../http/body-validation';
import type { PreparedWrite } from '../../writes/prepared-write';
import { resourceResponse, updateOf } from '../../resources/resource.controller';
import { ApiId, ApiIfMatch, Writes } from '../../resources/resource-routes';
import { projectMapping } from '../project.entity';
import { ProjectSettingsView } from './settings.entity';
import { UpdateSettings } from './settings.dto';
import { SettingsService } from './settings.service';

const ApiSettings = (description: string) =>
  applyDecorators(
    ApiExtraModels(ProjectSettingsView),
    ApiResponse({
      status: 200,
      description,
      headers: {
        ETag: { description: 'The version, for `If-Match`.', schema: { type: 'string', example: '"1"' } },
      },
      content: { 'application/json': { schema: { $ref: getSchemaPath(ProjectSettingsView) } } },
    }),
  );

@ApiTags('projects')
@Controller('v1/projects/:id/settings')
export class SettingsController {
  constructor(private readonly settings: SettingsService) {}

  @Get()
  @Access(ADMIN)
  @ApiOperation({
    operationId: 'projectSettingsShow',
    summary: 'Show the settings of a project: rules for its changes, and private variables',
  })
  @ApiId(projectMapping)
  @ApiSettings('The settings, or the defaults if none were set.')
  @ApiErrors(400, 401, 403, 404)
  async show(@Ctx() ctx: RequestContext, @Param('id', ProjectIdPipe) id: string) {
    return resourceResponse(await this.settings.get(ctx, id));
  }

  @Put()
  @Access(ADMIN)
  @ApiOperation({
    operationId: 'projectSettingsUpdate',
    summary: 'Update the settings of a project: rules for its changes, and private variables',
  })
  @ApiId(projectMapping)
  @Writes()
  @Proposable()
  @ApiIfMatch()
  @LargeBody()
  @ApiBody({ type: UpdateSettings })
  @ApiSettings('Changed.')
  @ApiErrors(400, 401, 403, 404, 405, 412, 415)
  update(
    @Ctx() ctx: RequestContext,
    @Param('id', ProjectIdPipe) id: string,
    @ValidBody(UpdateSettings) body: UpdateSettings,
    @IfMatch() ifMatch: Precondition,
  ): PreparedWrite {
    return updateOf(this.settings.prepareUpdate(ctx, id, body, ifMatch));
  }
}
