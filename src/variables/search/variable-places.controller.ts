import { Controller, Get, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { READ } from '../../auth/access';
import { Access, Ctx } from '../../auth/access.decorators';
import { ApiListNames } from '../../resources/list-parameters';
import { ApiListAnswer } from '../../resources/resource-routes';
import type { RequestContext } from '../../core/context/request-context';
import { ApiErrors } from '../../http/api-errors';
import { TakesQuery } from '../../http/query.guard';
import { placeParameters, VariablePlaceView } from './variable-place';
import { VariablePlacesService } from './variable-places.service';

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
  @ApiListAnswer(VariablePlaceView)
  @ApiErrors(400, 401, 404)
  async list(@Ctx() ctx: RequestContext, @Req() request: Request) {
    return this.places.list(ctx, request);
  }
}
