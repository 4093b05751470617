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
import { Registry } from 'prom-client';
import { Public } from '../auth/access.decorators';
import { InventoryError } from '../shared/errors/inventory-error';
import { Answer } from '../shared/http/answer';
import { ApiErrors } from '../shared/http/api-errors';
import { Database } from '../shared/persistence/database';
import { sql } from '../shared/persistence/sql';
import { migrations } from '../migrations';
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

/** Whether the process lives, and whether it can serve. */
@ApiTags('operations')
@ApiExtraModels(StatusView)
@Controller()
export class HealthController {
  constructor(private readonly database: Database) {}

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
  @ApiOperation({ summary: 'Whether the database answers and is migrated', security: [] })
  @ApiStatus('It can serve.')
  @ApiErrors()
  async ready(): Promise<Answer> {
    const newest = new (migrations.at(-1) ?? migrations[0])().name;
    const [row] = await this.database.rows(sql`SELECT FROM migrations WHERE name = ${newest}`);
    if (!row)
      throw new InventoryError('unavailable', 'The database is not migrated.', [], { 'retry-after': '5' });
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
