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
import { READ } from '../../auth/access';
import { Access, Ctx, Renewal, type RenewContext } from '../../auth/access.decorators';
import { ResourceReader } from '../../resources/resource-reader';
import type { RequestContext } from '../../core/context/request-context';
import { Answer } from '../../http/response';
import { ApiErrors } from '../../http/api-errors';
import { GIVEN_TOKEN } from '../../http/context-headers';
import { slotReleaseOf } from '../../http/active-requests';
import { enclosed } from '../../http/list-response';
import { TakesQuery } from '../../http/query.guard';
import { changeRecords, ChangeRecordView } from '../change-record';
import { PastImpactView } from '../past-impact/past-impact.view';
import { FEED_LIMITS, LONGEST_WAIT, parseFeedQuery } from './feed-query';
import { FeedService, LATEST, type FeedReader } from './feed.service';

/** A change record; with its devices, where these are asked for. */
class FollowedChangeView extends ChangeRecordView {
  @ApiPropertyOptional({ type: PastImpactView, description: 'With `resolved=true`.' })
  resolved?: PastImpactView;
}

class FeedView {
  @ApiProperty({
    type: [FollowedChangeView],
    description: 'In an order in which what follows from another follows it.',
  })
  changes!: FollowedChangeView[];

  @ApiProperty({ example: 'WzEsImV2ZXJ5IHByb2plY3Qi…', description: 'Where to go on: for `after`.' })
  cursor!: string;
}

const { least, most, usual } = FEED_LIMITS;

const ApiFeed = () =>
  applyDecorators(
    ApiOperation({ summary: 'Follow the changes: each once, from where a reader was' }),
    ApiQuery({
      name: 'after',
      required: false,
      description: `The cursor of the answer before; \`${LATEST}\`: what comes from now on. Without it, from the beginning.`,
      schema: { type: 'string', example: LATEST },
    }),
    ApiQuery({
      name: 'wait',
      required: false,
      description: 'For how many seconds at most to wait where there is nothing yet.',
      schema: { type: 'integer', minimum: 0, maximum: LONGEST_WAIT, default: 0, example: 0 },
    }),
    ApiQuery({
      name: 'limit',
      required: false,
      description: 'How many changes at most.',
      schema: { type: 'integer', minimum: least, maximum: most, default: usual, example: 100 },
    }),
    ApiQuery({
      name: 'resolved',
      required: false,
      description: 'Whether each change tells the devices whose resolved variables it altered.',
      schema: { type: 'boolean', default: false, example: true },
    }),
    ApiQuery({
      name: 'project_id',
      required: false,
      description: 'Only of this project. A root user sees every project without it.',
      schema: { type: 'string', format: 'uuid', example: '717e9a21-6e2d-44e0-bc84-8398563bda06' },
    }),
    ApiExtraModels(FeedView),
    ApiResponse({
      status: 200,
      description: 'The next changes; none where there is nothing yet.',
      headers: GIVEN_TOKEN,
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
  @Access(READ)
  @ApiFeed()
  async read(
    @Ctx() ctx: RequestContext,
    @Renewal() renew: RenewContext,
    @Req() request: Request,
  ): Promise<Answer> {
    const { query, socket } = request;
    const gone = new AbortController();
    const leave = (): void => {
      gone.abort();
    };
    // Before anything is waited for; and who left already is not told of again.
    socket.once('close', leave);
    if (socket.destroyed) leave();
    try {
      const { projectId, ...asked } = parseFeedQuery(query);
      const readerOf = async (by: RequestContext): Promise<FeedReader> => ({
        ctx: by,
        scope: await this.reader.scopeOf(by, changeRecords.shape, projectId),
      });
      const renewed = async () => readerOf(await renew());
      const page = await this.feed.read(await readerOf(ctx), asked, {
        renewed,
        gone: gone.signal,
        stepAside: slotReleaseOf(request),
      });
      const bodies = page.records.map(({ body }) => body);
      return Answer.ok(enclosed('{"changes":[', bodies, `],"cursor":${JSON.stringify(page.cursor)}}`));
    } finally {
      // The connection may live on with other requests.
      socket.off('close', leave);
    }
  }
}
