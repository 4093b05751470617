import { Controller, Get, Header, Inject, Res } from '@nestjs/common';
import { ApiOperation, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Registry } from 'prom-client';
import { Public } from '../auth/access';
import { ApiErrors } from '../http/api-errors';
import { METRICS_READER, type MetricsReader } from './metrics.service';

/** Metrics on the service's own port. With METRICS_PORT, they are served on that port instead. */
@ApiTags('operations')
@Controller()
export class MetricsController {
  constructor(@Inject(METRICS_READER) private readonly metrics: MetricsReader) {}

  @Get('metrics')
  @Public()
  @Header('cache-control', 'no-store')
  @ApiOperation({ operationId: 'metrics', summary: 'Metrics for Prometheus', security: [] })
  @ApiProduces('text/plain')
  @ApiResponse({ status: 200, description: 'In the text format of Prometheus.', schema: { type: 'string' } })
  @ApiErrors()
  async scrape(@Res({ passthrough: true }) response: Response): Promise<string> {
    response.type(Registry.PROMETHEUS_CONTENT_TYPE);
    return this.metrics();
  }
}
