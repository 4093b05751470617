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

class StartLinkView {
  @ApiProperty({ enum: ['documentation', 'openapi', 'readiness'] })
  rel!: string;

  @ApiProperty({ example: '/docs' })
  href!: string;
}

class StartView {
  @ApiProperty({ example: 'Muster' })
  name!: string;

  @ApiProperty({ type: [StartLinkView] })
  links!: StartLinkView[];
}

const START = JsonResponse.ok(
  JSON.stringify({
    name: 'Muster',
    links: [
      { rel: 'documentation', href: '/docs' },
      { rel: 'openapi', href: '/openapi.json' },
      { rel: 'readiness', href: '/readyz' },
    ],
  } satisfies StartView),
);

const ApiStatus = (description: string) =>
  ApiResponse({
    status: 200,
    description,
    content: { 'application/json': { schema: { $ref: getSchemaPath(StatusView) } } },
  });

const HEALTHY = JsonResponse.ok(JSON.stringify({ status: 'ok' } satisfies StatusView));

/** The timeout of the readiness check, in milliseconds. */
const READINESS_TIMEOUT_MS = 1_500;

const notReady = (why: string): InventoryError =>
  new InventoryError('unavailable', why, [], { 'retry-after': '5' });

/** The entry point, for people who open the URL of the service. */
@ApiTags('operations')
@ApiExtraModels(StartView)
@Controller()
export class StartController {
  @Get()
  @Public()
  @ApiOperation({
    summary: 'Links to the documentation, the API description and the readiness',
    security: [],
  })
  @ApiResponse({
    status: 200,
    description: 'The links. All other paths of the API begin with `/v1`.',
    content: { 'application/json': { schema: { $ref: getSchemaPath(StartView) } } },
  })
  @ApiErrors()
  start(): JsonResponse {
    return START;
  }
}

/** The liveness and the readiness of the process. */
@ApiTags('operations')
@ApiExtraModels(StatusView)
@Controller()
export class HealthController {
  /** Concurrent requests share one query. */
  private readonly isMigrated = coalesce(async () => {
    const newest = new (migrations.at(-1) ?? migrations[0])().name;
    const query = sql`SELECT EXISTS (SELECT FROM migrations WHERE name = ${newest}) AS is_there`;
    return this.watchdog.query<{ is_there: boolean }>(query);
  });

  constructor(
    private readonly watchdog: DatabaseWatchdog,
    private readonly ending: ShutdownState,
  ) {}

  @Get('healthz')
  @Public()
  @ApiOperation({ summary: 'Whether the process is alive', security: [] })
  @ApiStatus('The process is alive.')
  @ApiErrors()
  health(): JsonResponse {
    return HEALTHY;
  }

  @Get('readyz')
  @Public()
  @ApiOperation({
    summary: 'Whether the database responds and is migrated',
    security: [],
  })
  @ApiStatus('The service can handle requests.')
  @ApiErrors()
  async ready(): Promise<JsonResponse> {
    if (this.ending.isAnnounced) throw notReady('The service is about to stop.');
    if (this.watchdog.isUnresponsive) throw notReady('The database does not respond.');
    const migration = await Promise.race([
      this.isMigrated(),
      delay(READINESS_TIMEOUT_MS, undefined, { ref: false }),
    ]).catch((error: unknown) => {
      // The database responds, but not to this query: it is being restored or migrated, for example.
      if (isStatementTimeout(error)) throw notReady('The database is busy.');
      throw error;
    });
    if (!migration) throw notReady('The database does not respond.');
    if (!migration.is_there) throw notReady('The database is not migrated.');
    return HEALTHY;
  }
}

/** Metrics on the service's own port. With METRICS_PORT, they are served on that port instead. */
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
