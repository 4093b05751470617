import { Controller, Get, Logger } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiOperation,
  ApiProperty,
  ApiPropertyOptional,
  ApiResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { Public } from '../auth/access';
import { coalesce, resultWithin, singleFlight } from '../core/concurrency';
import { InventoryError } from '../core/errors';
import { Database } from '../database/database';
import { isStatementTimeout } from '../database/errors/postgres-error';
import { DatabaseWatchdog } from '../database/health/database-watchdog';
import { sql } from '../database/sql';
import { ApiErrors } from '../http/api-errors';
import { JsonResponse } from '../http/response';
import { migrations } from '../migrations';
import { ShutdownState } from './shutdown-state';

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

/** The liveness and the readiness of the process. */
@ApiTags('operations')
@ApiExtraModels(StatusView, ReadinessView)
@Controller()
export class HealthController {
  private readonly log = new Logger('Database');

  /** Concurrent requests share one query. */
  private readonly isMigrated = coalesce(async () => {
    const newest = new (migrations.at(-1) ?? migrations[0])().name;
    const query = sql`SELECT EXISTS (SELECT FROM migrations WHERE name = ${newest}) AS is_there`;
    return this.watchdog.query<{ is_there: boolean }>(query);
  });

  /** Concurrent requests share one query. */
  private readonly nodeCounts = singleFlight(() => this.database.nodeCounts());

  constructor(
    private readonly watchdog: DatabaseWatchdog,
    private readonly database: Database,
    private readonly ending: ShutdownState,
  ) {}

  @Get('healthz')
  @Public()
  @ApiOperation({ operationId: 'healthCheck', summary: 'Whether the process is alive', security: [] })
  @ApiStatus('The process is alive.', StatusView)
  @ApiErrors()
  health(): JsonResponse {
    return HEALTHY;
  }

  @Get('readyz')
  @Public()
  @ApiOperation({
    operationId: 'readinessCheck',
    summary: 'Whether the database responds and is migrated',
    security: [],
  })
  @ApiStatus('The service can handle requests.', ReadinessView)
  @ApiErrors()
  async ready(): Promise<JsonResponse> {
    if (this.ending.isAnnounced) throw notReady('The service is about to stop.');
    if (this.watchdog.isUnresponsive) throw notReady('The database does not respond.');
    const migration = await resultWithin(this.isMigrated(), READINESS_TIMEOUT_MS).catch((error: unknown) => {
      // The database responds, but not to this query: it is being restored or migrated, for example.
      if (isStatementTimeout(error)) throw notReady('The database is busy.');
      throw error;
    });
    if (!migration) throw notReady('The database does not respond.');
    if (!migration.is_there) throw notReady('The database is not migrated.');
    return this.readyNodes();
  }

  /** Without one node of the database, the projects on the other nodes can still be used. */
  private async readyNodes(): Promise<JsonResponse> {
    const counts = await resultWithin(this.nodeCounts(), READINESS_TIMEOUT_MS);
    if (counts?.unreachable === 0) return HEALTHY;
    const message = counts
      ? `${String(counts.unreachable)} of ${String(counts.nodes)} nodes of the database cannot be reached.`
      : 'A node of the database does not respond.';
    this.log.warn(message);
    return JsonResponse.ok(JSON.stringify({ status: 'degraded', message } satisfies ReadinessView));
  }
}
