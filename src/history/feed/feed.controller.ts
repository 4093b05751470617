import { InventoryError } from '../../core/errors';
import { parameterReader, type QueryParameters } from '../../core/parameters';
import { parseBooleanValue } from '../../lists/list-filter';
import { parseLimit, parseProjectId } from '../../lists/list-query';
import { applyDecorators, Controller, Get, Req } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiOperation,
  ApiProperty,
  ApiPropertyOptional,
  ApiQuery,
  ApiResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { Request } from 'express';
import { READ_HISTORY, Access, Ctx, Renewal } from '../../auth/access';
import type { RenewContext } from '../../http/request-state';
import { ResourceReader } from '../../resources/resource-reader';
import type { RequestContext } from '../../core/context/request-context';
import { JsonResponse } from '../../http/response';
import { ApiErrors } from '../../http/api-errors';
import { CONSISTENCY_TOKEN_HEADER, consistencyHeader, untilDisconnected } from '../../http/request';
import { slotReleaseOf } from '../../http/active-requests';
import { joinItems } from '../../http/list-response';
import { TakesQuery } from '../../http/query.guard';
import { changeRecords, ChangeRecordView } from '../change-record';
import { PastImpactView } from '../past-impact/past-impact.controller';
import { FeedService, LATEST, type FeedReader } from './feed.service';

/** The bounds and the default of `limit`. */
const FEED_LIMITS = { min: 1, max: 1_000, default: 100 } as const;

/** The maximum of `wait`, in seconds. */
const MAX_WAIT_SECONDS = 60;

const PARAMETERS = ['after', 'wait', 'limit', 'resolved', 'project_id'] as const;

/** The feed's query parameters, parsed and validated. */
interface FeedParameters {
  readonly after: string | undefined;
  readonly wait: number;
  readonly limit: number;
  readonly resolved: boolean;
  readonly projectId: string | undefined;
}

/** @throws InventoryError 400 for unknown, repeated or invalid parameters */
function parseFeedQuery(query: QueryParameters): FeedParameters {
  const text = parameterReader(query, PARAMETERS);
  return {
    after: text('after'),
    wait: parseWait(text('wait') ?? '0'),
    limit: parseLimit(text('limit'), FEED_LIMITS),
    resolved: parseBooleanValue('resolved', text('resolved') ?? 'false'),
    projectId: parseProjectId(text('project_id')),
  };
}

function parseWait(text: string): number {
  const seconds = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (seconds <= MAX_WAIT_SECONDS) return seconds;
  throw InventoryError.invalid('wait', `must be an integer from 0 to ${String(MAX_WAIT_SECONDS)}`);
}

/** A change record, with the altered devices if `resolved=true`. */
class FollowedChangeView extends ChangeRecordView {
  @ApiPropertyOptional({
    type: PastImpactView,
    description: 'The devices whose resolved variables the change altered. Only with `resolved=true`.',
  })
  resolved?: PastImpactView;
}

class FeedView {
  @ApiProperty({
    type: [FollowedChangeView],
    description: 'The changes. A change always comes after the changes that it depends on.',
  })
  changes!: FollowedChangeView[];

  @ApiProperty({
    example: 'WzEsImV2ZXJ5IHByb2plY3Qi…',
    description: 'The position after these changes, for `after` in the next request.',
  })
  cursor!: string;
}

const ApiFeed = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'changesFollow',
      summary: 'Follow changes from a cursor: each change is delivered once',
    }),
    ApiQuery({
      name: 'after',
      required: false,
      description: `The cursor of the previous response, or \`${LATEST}\` for new changes only. Defaults to the beginning.`,
      schema: { type: 'string', example: LATEST },
    }),
    ApiQuery({
      name: 'wait',
      required: false,
      description: 'The maximum time to wait for changes, in seconds.',
      schema: { type: 'integer', minimum: 0, maximum: MAX_WAIT_SECONDS, default: 0, example: 0 },
    }),
    ApiQuery({
      name: 'limit',
      required: false,
      description: 'The maximum number of changes.',
      schema: {
        type: 'integer',
        minimum: FEED_LIMITS.min,
        maximum: FEED_LIMITS.max,
        default: FEED_LIMITS.default,
        example: 100,
      },
    }),
    ApiQuery({
      name: 'resolved',
      required: false,
      description: 'Whether to include the devices whose resolved variables each change altered.',
      schema: { type: 'boolean', default: false, example: true },
    }),
    ApiQuery({
      name: 'project_id',
      required: false,
      description: 'Only changes of this project. Without it, a root user sees all projects.',
      schema: { type: 'string', format: 'uuid', example: '717e9a21-6e2d-44e0-bc84-8398563bda06' },
    }),
    ApiExtraModels(FeedView),
    ApiResponse({
      status: 200,
      description: 'The next changes; empty if there are none yet.',
      headers: CONSISTENCY_TOKEN_HEADER,
      content: { 'application/json': { schema: { $ref: getSchemaPath(FeedView) } } },
    }),
    ApiErrors(400, 401, 403, 404),
  );

@ApiTags('changes')
@Controller('v1/changes/feed')
export class FeedController {
  constructor(
    private readonly feed: FeedService,
    private readonly reader: ResourceReader,
  ) {}

  @Get()
  @TakesQuery()
  @Access(READ_HISTORY)
  @ApiFeed()
  async read(
    @Ctx() ctx: RequestContext,
    @Renewal() renew: RenewContext,
    @Req() request: Request,
  ): Promise<JsonResponse> {
    const { projectId, ...parameters } = parseFeedQuery(request.query);
    const readerOf = async (context: RequestContext): Promise<FeedReader> => ({
      ctx: context,
      scope: await this.reader.scopeOf(context, changeRecords.mapping, projectId),
    });
    const { records, cursor, position } = await untilDisconnected(request, async (disconnected) =>
      this.feed.read(await readerOf(ctx), parameters, {
        renewReader: async () => readerOf(await renew()),
        disconnected,
        releaseSlot: slotReleaseOf(request),
      }),
    );
    const bodies = records.map(({ body }) => body);
    return JsonResponse.ok(
      joinItems('{"changes":[', bodies, `],"cursor":${JSON.stringify(cursor)}}`),
      consistencyHeader(position),
    );
  }
}
