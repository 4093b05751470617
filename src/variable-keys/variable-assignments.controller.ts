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
import {
  assignmentParameters,
  VariableAssignmentsService,
  VariableAssignmentView,
} from './variable-assignments.service';

@ApiTags('variables')
@Controller('v1/variables')
export class VariableAssignmentsController {
  constructor(private readonly assignments: VariableAssignmentsService) {}

  @Get()
  @TakesQuery()
  @Access(READ)
  @ApiOperation({
    summary:
      'List the assignments of variables to regions, cells, labels and devices, in the order of key, kind and id',
  })
  @ApiListNames(assignmentParameters, {
    description: 'The key, the kind and the id of the last item seen, separated by `/`.',
    example: 'ntp_servers/region/1',
  })
  @ApiListResponse(VariableAssignmentView)
  @ApiErrors(400, 401, 404)
  async list(@Ctx() ctx: RequestContext, @ListUrlParam() url: ListUrl) {
    return listResponse(await this.assignments.list(ctx, url));
  }
}
