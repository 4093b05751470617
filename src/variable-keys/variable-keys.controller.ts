import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { READ, Access, Ctx } from '../auth/access';
import { ApiListNames } from '../resources/api-parameters';
import { ApiListResponse } from '../resources/resource-routes';
import type { RequestContext } from '../core/context/request-context';
import { ApiErrors } from '../http/api-errors';
import { listResponse, ListUrlParam } from '../http/list-response';
import type { ListUrl } from '../lists/list-page';
import { TakesQuery } from '../http/query.guard';
import { keyParameters, VariableKeysService, VariableKeyView } from './variable-keys.service';

@ApiTags('variables')
@Controller('v1/variable-keys')
export class VariableKeysController {
  constructor(private readonly keys: VariableKeysService) {}

  @Get()
  @TakesQuery()
  @Access(READ)
  @ApiOperation({ summary: 'List the keys of variables, and count the resources that set and resolve them' })
  @ApiListNames(keyParameters, {
    description: 'The key and the project_id of the last item seen, separated by `/`.',
    example: 'ntp_servers/717e9a21-6e2d-44e0-bc84-8398563bda06',
  })
  @ApiListResponse(VariableKeyView)
  @ApiErrors(400, 401, 404)
  async list(@Ctx() ctx: RequestContext, @ListUrlParam() url: ListUrl) {
    return listResponse(await this.keys.list(ctx, url));
  }
}
