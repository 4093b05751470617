import { Controller, Get, Header, Inject, Res } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiOperation,
  ApiProduces,
  ApiProperty,
  ApiResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { setTimeout as delay } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { Public } from '../auth/access.decorators';
import { InventoryError } from '../core/errors/inventory-error';
import { isTimeOver } from '../database/errors/postgres-error';
import { Answer } from '../http/response';
import { ApiErrors } from '../http/api-errors';
import { Pulse } from '../database/health/database-watchdog';
import { sql } from '../database/sql';
import { coalesce } from '../core/single-flight';
import { migrations } from '../migrations';
import { Ending } from './shutdown-state';
import { METRICS_TEXT, type MetricsText } from './metrics.service';

class StatusView {
  @ApiProperty({ example: 'ok' })
  status!: string;
}

const ApiStatus = (description: string) =>
  ApiResponse({
    status: 200,
    description,
    content: { 'application/json': { schema: { $ref: getSchemaPath(StatusView) } } },
  });

const HEALTHY = Answer.ok(JSON.stringify({ status: 'ok' } satisfies StatusView));

/** In milliseconds: so soon whoever asks gets an answer, be it that the database has none. */
const PATIENCE_MS = 1_500;

const notReady = (why: string): InventoryError =>
  new InventoryError('unavailable', why, [], { 'retry-after': '5' });

/** Whether the process lives, and whether it can serve. */
@ApiTags('operations')
@ApiExtraModels(StatusView)
@Controller()
export class HealthController {
  /** However many ask, the database is asked for all of them at once. */
  private readonly isMigrated = coalesce(async () => {
    const newest = new (migrations.at(-1) ?? migrations[0])().name;
    const question = sql`SELECT EXISTS (SELECT FROM migrations WHERE name = ${newest}) AS is_there`;
    return this.pulse.ask<{ is_there: boolean }>(question);
  });

  constructor(
    private readonly pulse: Pulse,
    private readonly ending: Ending,
  ) {}

  @Get('healthz')
  @Public()
  @ApiOperation({ summary: 'Whether the process lives', security: [] })
  @ApiStatus('It lives.')
  @ApiErrors()
  health(): Answer {
    return HEALTHY;
  }

  @Get('readyz')
  @Public()
  @ApiOperation({
    summary: 'Whether the database answers and is migrated',
    security: [],
  })
  @ApiStatus('It can serve.')
  @ApiErrors()
  async ready(): Promise<Answer> {
    if (this.ending.isAnnounced) throw notReady('The service is about to stop.');
    if (this.pulse.isSilent) throw notReady('The database does not answer.');
    const said = await Promise.race([this.isMigrated(), delay(PATIENCE_MS, undefined, { ref: false })]).catch(
      (error: unknown) => {
        // Somebody restores or migrates it, say: it answers, but not this.
        if (isTimeOver(error)) throw notReady('The database is busy.');
        throw error;
      },
    );
    if (!said) throw notReady('The database does not answer.');
    if (!said.is_there) throw notReady('The database is not migrated.');
    return HEALTHY;
  }
}

/** Metrics on the service's own port; a deployment can bind them to another. */
@ApiTags('operations')
@Controller()
export class MetricsController {
  constructor(@Inject(METRICS_TEXT) private readonly metrics: MetricsText) {}

  @Get('metrics')
  @Public()
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'Metrics for Prometheus', security: [] })
  @ApiProduces('text/plain')
  @ApiResponse({ status: 200, description: 'In the text format of Prometheus.', schema: { type: 'string' } })
  @ApiErrors()
  async scrape(@Res({ passthrough: true }) response: Response): Promise<string> {
    response.type(Registry.PROMETHEUS_CONTENT_TYPE);
    return this.metrics();
  }
}
