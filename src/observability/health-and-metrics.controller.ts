import { Controller, Get, Header, Inject, Logger, Res, Injectable } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiOperation,
  ApiProduces,
  ApiProperty,
  ApiPropertyOptional,
  ApiResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { Response } from 'express';
import type { QueryResultRow } from 'pg';
import { setTimeout as delay } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { Public } from '../auth/access';
import { InventoryError } from '../core/errors';
import { isStatementTimeout } from '../database/errors/postgres-error';
import { JsonResponse } from '../http/response';
import { ApiErrors } from '../http/api-errors';
import { DatabaseWatchdog } from '../database/health/database-watchdog';
import { Database } from '../database/database';
import { IS_DISTRIBUTED, NODE_COUNTS, type NodeCounts } from '../database/distribution';
import { sql } from '../database/sql';
import { coalesce, singleFlight } from '../core/concurrency';
import { migrations } from '../migrations';
import { METRICS_READER, type MetricsReader } from './metrics.service';

/** Whether this process is about to stop. Then `/readyz` fails, so that load balancers use other instances. */
@Injectable()
export class ShutdownState {
  private announced = false;

  get isAnnounced(): boolean {
    return this.announced;
  }

  announce(): void {
    this.announced = true;
  }
}

class StatusView {
  @ApiProperty({ example: 'ok' })
  status!: string;
}

class ReadinessView {
  @ApiProperty({
    enum: ['ok', 'degraded'],
    description: '`degraded`: requests for some projects cannot be handled.',
  })
  status!: 'ok' | 'degraded';

  @ApiPropertyOptional({
    example: '1 of 2 nodes of the database cannot be reached.',
    description: 'What is degraded.',
  })
  message?: string;
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

const ApiStatus = (description: string, view: typeof StatusView | typeof ReadinessView) =>
  ApiResponse({
    status: 200,
    description,
    content: { 'application/json': { schema: { $ref: getSchemaPath(view) } } },
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
    description:
      'The links. All other paths of the API begin with `/v1`. Clients that prefer HTML get the browser application.',
    content: {
      'application/json': { schema: { $ref: getSchemaPath(StartView) } },
      'text/html': { schema: { type: 'string' } },
    },
  })
  @ApiErrors()
  start(): JsonResponse {
    return START;
  }
}

/** The liveness and the readiness of the process. */
@ApiTags('operations')
@ApiExtraModels(StatusView, ReadinessView)
@Controller()
export class HealthController {
  private readonly log = new Logger('Database');

  /** Concurrent requests share one query. */
  private readonly isMigrated = coalesce(async () => {
    const newest = new (migrations.at(-1) ?? migrations[0])().name;
    const query = sql`SELECT EXISTS (SELECT FROM migrations WHERE name = ${newest}) AS is_there, (${IS_DISTRIBUTED})`;
    return this.watchdog.query<{ is_there: boolean; is_distributed: boolean }>(query);
  });

  /** Concurrent requests share one query. */
  private readonly nodeCounts = singleFlight(async () => {
    const [counts] = await this.database.rows<NodeCounts & QueryResultRow>(NODE_COUNTS);
    return counts;
  });

  constructor(
    private readonly watchdog: DatabaseWatchdog,
    private readonly database: Database,
    private readonly ending: ShutdownState,
  ) {}

  @Get('healthz')
  @Public()
  @ApiOperation({ summary: 'Whether the process is alive', security: [] })
  @ApiStatus('The process is alive.', StatusView)
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
  @ApiStatus('The service can handle requests.', ReadinessView)
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
    return migration.is_distributed ? this.readyNodes() : HEALTHY;
  }

  /** Without one node of a distributed database, the projects on the other nodes can still be used. */
  private async readyNodes(): Promise<JsonResponse> {
    const counts = await Promise.race([
      this.nodeCounts(),
      delay(READINESS_TIMEOUT_MS, undefined, { ref: false }),
    ]);
    if (counts?.unreachable === 0) return HEALTHY;
    const message = counts
      ? `${String(counts.unreachable)} of ${String(counts.nodes)} nodes of the database cannot be reached.`
      : 'A node of the database does not respond.';
    this.log.warn(message);
    return JsonResponse.ok(JSON.stringify({ status: 'degraded', message } satisfies ReadinessView));
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
