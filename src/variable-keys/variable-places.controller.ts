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
import { placeParameters, VariablePlacesService, VariablePlaceView } from './variable-places.service';

@ApiTags('variables')
@Controller('v1/variables')
export class VariablePlacesController {
  constructor(private readonly places: VariablePlacesService) {}

  @Get()
  @TakesQuery()
  @Access(READ)
  @ApiOperation({ summary: 'List all places where variables are set, in the order of key, kind and id' })
  @ApiListNames(placeParameters, {
    description: 'The key, the kind and the id of the last item seen, separated by `/`.',
    example: 'ntp_servers/region/1',
  })
  @ApiListResponse(VariablePlaceView)
  @ApiErrors(400, 401, 404)
  async list(@Ctx() ctx: RequestContext, @ListUrlParam() url: ListUrl) {
    return listResponse(await this.places.list(ctx, url));
  }
}
