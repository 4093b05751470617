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
import { isStatementTimeout } from '../database/errors/postgres-error';
import { JsonResponse } from '../http/response';
import { ApiErrors } from '../http/api-errors';
import { DatabaseWatchdog } from '../database/health/database-watchdog';
import { sql } from '../database/sql';
import { coalesce } from '../core/single-flight';
import { migrations } from '../migrations';
import { ShutdownState } from './shutdown-state';
import { METRICS_READER, type MetricsReader } from './metrics.service';

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

const HEALTHY = JsonResponse.ok(JSON.stringify({ status: 'ok' } satisfies StatusView));

/** The timeout of the readiness check, in milliseconds. */
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
    return this.watchdog.ask<{ is_there: boolean }>(question);
  });

  constructor(
    private readonly watchdog: DatabaseWatchdog,
    private readonly ending: ShutdownState,
  ) {}

  @Get('healthz')
  @Public()
  @ApiOperation({ summary: 'Whether the process lives', security: [] })
  @ApiStatus('It lives.')
  @ApiErrors()
  health(): JsonResponse {
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
  async ready(): Promise<JsonResponse> {
    if (this.ending.isAnnounced) throw notReady('The service is about to stop.');
    if (this.watchdog.isSilent) throw notReady('The database does not answer.');
    const said = await Promise.race([this.isMigrated(), delay(PATIENCE_MS, undefined, { ref: false })]).catch(
      (error: unknown) => {
        // The database answers, but not this query: it is being restored or migrated, for example.
        if (isStatementTimeout(error)) throw notReady('The database is busy.');
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
  constructor(@Inject(METRICS_READER) private readonly metrics: MetricsReader) {}

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
