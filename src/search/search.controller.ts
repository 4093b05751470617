import { Controller, Get, Req } from '@nestjs/common';
import { ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { READ, Access, Ctx } from '../auth/access';
import type { RequestContext } from '../core/context/request-context';
import { ApiErrors } from '../http/api-errors';
import { TakesQuery } from '../http/query.guard';
import { JsonResponse } from '../http/response';
import { ApiProjectId } from '../resources/api-parameters';
import { MAX_TEXT_LENGTH, SEARCH_LIMITS } from './search-query';
import { SearchService } from './search.service';
import { SearchResultView } from './search.views';

/** Searches everything that the caller may see. */
@ApiTags('search')
@Controller('v1/search')
export class SearchController {
  constructor(private readonly service: SearchService) {}

  @Get()
  @TakesQuery()
  @Access(READ)
  @ApiOperation({ summary: 'Search resources of all kinds, and variables' })
  @ApiQuery({
    name: 'q',
    required: true,
    description:
      'The text: a name, a label, an id, a UUID, an IP address, a network in CIDR notation or the first octets of an address, the key of a variable, or the value of one.',
    schema: { type: 'string', minLength: 1, maxLength: MAX_TEXT_LENGTH, example: 'web' },
  })
  @ApiQuery({
    name: 'limit',
    required: false,
    description: 'The maximum number of hits.',
    schema: {
      type: 'integer',
      minimum: SEARCH_LIMITS.min,
      maximum: SEARCH_LIMITS.max,
      default: SEARCH_LIMITS.default,
      example: 20,
    },
  })
  @ApiProjectId(
    'The project to search. The default is the project of the request, also for a root user, who finds projects by name in any case.',
  )
  @ApiResponse({ status: 200, description: 'The hits.', type: SearchResultView })
  @ApiErrors(400, 401, 404)
  async search(@Ctx() ctx: RequestContext, @Req() request: Request): Promise<JsonResponse> {
    return JsonResponse.ok(JSON.stringify(await this.service.search(ctx, request.query)));
  }
}
