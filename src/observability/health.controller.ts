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
import { resultWithin, singleFlight } from '../core/concurrency';
import { Database } from '../database/database';
import { ApiErrors } from '../http/api-errors';
import { JsonResponse } from '../http/response';
import { Readiness, READINESS_TIMEOUT_MS } from './readiness';

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

/** The liveness and the readiness of the process. */
@ApiTags('operations')
@ApiExtraModels(StatusView, ReadinessView)
@Controller()
export class HealthController {
  private readonly log = new Logger('Database');

  /** Concurrent requests share one query. */
  private readonly nodeCounts = singleFlight(() => this.database.nodeCounts());

  constructor(
    private readonly readiness: Readiness,
    private readonly database: Database,
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
    await this.readiness.check();
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
