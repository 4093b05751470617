import { ApiProperty, ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { MATCH_KINDS, MAX_MATCHED_LENGTH, type MatchKind } from './match-statement';
import { READ, Access, Ctx } from '../auth/access';
import type { RequestContext } from '../core/context/request-context';
import { ApiErrors } from '../http/api-errors';
import { TakesQuery } from '../http/query.guard';
import { JsonResponse } from '../http/response';
import { resourceId } from '../resources/change.view';
import { ApiProjectId } from '../resources/api-parameters';
import { MAX_TEXT_LENGTH, SEARCH_LIMITS } from './search-query';
import { SearchService } from './search.service';
import { collections } from './searched-kinds';

class PlaceView {
  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  id!: number;

  @ApiProperty({ example: 'eqiad' })
  name!: string;
}

class SearchHitView {
  @ApiProperty({ enum: [...collections.keys()], example: 'host' })
  kind!: string;

  @ApiProperty({
    allOf: [resourceId],
    nullable: true,
    example: 17,
    description: 'A UUID for a project. `null` for the key of a variable.',
  })
  id!: number | string | null;

  @ApiProperty({
    example: 'web-1',
    description: 'The name, the label, the username or the key; of a change, the reason, or else the number.',
  })
  name!: string;

  @ApiProperty({
    type: PlaceView,
    nullable: true,
    description: 'The region of a cell or a device; `null` for other kinds.',
  })
  region!: PlaceView | null;

  @ApiProperty({
    type: PlaceView,
    nullable: true,
    example: null,
    description: 'The cell of a device, if any.',
  })
  cell!: PlaceView | null;

  @ApiProperty({
    enum: MATCH_KINDS,
    example: 'prefix',
    description:
      'How the text matches: the whole member, its beginning, a network that contains the address, the value of a variable or a part of it, or a part of a name, a value or a reason.',
  })
  match!: MatchKind;

  @ApiProperty({ example: 'name', description: 'The member that matches; `variables` for a value.' })
  member!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: null,
    description: 'The key of the variable, if its value matches.',
  })
  key!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: null,
    description: `What matches, if the name does not show it: an address, or the value of a variable, at most ${String(MAX_MATCHED_LENGTH)} characters.`,
  })
  matched!: string | null;

  @ApiProperty({ example: 'http://localhost:7780/v1/hosts/17', description: 'The URL of the resource.' })
  href!: string;
}

class SearchResultView {
  @ApiProperty({ type: [SearchHitView], description: 'The best hits first, at most `limit`.' })
  hits!: SearchHitView[];

  @ApiProperty({
    example: true,
    description:
      'Whether names that contain the text were searched, too. `false` if the database does not have the extension `pg_trgm`, or if the text does not contain three ASCII letters or digits in a row.',
  })
  substrings!: boolean;
}

/** Searches everything that the caller may see. */
@ApiTags('search')
@Controller('v1/search')
export class SearchController {
  constructor(private readonly service: SearchService) {}

  @Get()
  @TakesQuery()
  @Access(READ)
  @ApiOperation({ operationId: 'search', summary: 'Search resources of all kinds, variables and changes' })
  @ApiQuery({
    name: 'q',
    required: true,
    description:
      'The text: a name, a label, an id, a UUID, an IP address, a network in CIDR notation, the first octets or groups of an address (`10.64.`, `2001:db8:`), the key of a variable, the value of one or a part of it, the number of a change, or a part of its reason.',
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
