import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { READ } from '../../auth/access';
import { Access, Ctx } from '../../auth/access.decorators';
import type { RequestContext } from '../../core/context/request-context';
import { Answer } from '../../http/response';
import { accepts } from '../../http/list-response';
import { TakesQuery } from '../../http/query.guard';
import { TakesBody } from '../../http/request-body';
import { StreamedAnswer } from '../../http/streamed-response';
import { ApiImport } from './import-description';
import { LINES } from './import-body';
import { modeOf } from './import-query';
import { ImportService, type Imported } from './import.service';
import { lineResults } from './line-results';

@ApiTags('bulk')
@Controller('v1/import')
export class ImportController {
  constructor(private readonly imports: ImportService) {}

  @Post()
  @HttpCode(200)
  @TakesQuery()
  @TakesBody()
  @Access(READ)
  @ApiImport()
  async import(@Ctx() ctx: RequestContext, @Req() request: Request): Promise<Answer | StreamedAnswer> {
    const { result, tempDir } = await this.imports.import(ctx, request, modeOf(request.query));
    const { intake: staging } = result;
    if (!accepts(request.get('accept') ?? '', LINES)) {
      await tempDir.remove();
      return Answer.ok(renderSummary(result), { vary: 'Accept' });
    }
    return new StreamedAnswer({
      headers: { 'content-type': LINES, vary: 'Accept' },
      produce: async (sink) => {
        try {
          if (staging)
            for await (const line of lineResults(staging, ctx.preview !== undefined)) await sink.write(line);
          await sink.write(`${renderSummary(result)}\n`);
        } finally {
          await tempDir.remove();
        }
      },
    });
  }
}

function renderSummary({ summary, impact }: Imported): string {
  const body = JSON.stringify(summary);
  return impact === undefined ? body : `{"dry_run":true,${body.slice(1, -1)},"impact":${impact}}`;
}
