import { Module, type DynamicModule } from '@nestjs/common';
import type { Environment } from '../config/environment';
import { coalesce } from '../core/concurrency';
import { HealthController } from './health.controller';
import { createLogger, LOGGER } from './logging';
import { MetricsController } from './metrics.controller';
import { METRICS_READER, MetricsService, type MetricsReader } from './metrics.service';
import { Readiness } from './readiness';
import { ShutdownState } from './shutdown-state';
import { StartController } from './start.controller';

/** One of several worker processes. */
export interface Worker {
  /** Identifies this worker in log lines. */
  readonly id: number;
  /** The metrics of all workers. */
  readonly metricsOfAll: MetricsReader;
}

/** Logging, metrics, and whether the service is alive and ready. */
@Module({})
export class ObservabilityModule {
  static with(environment: Environment, worker: Worker | undefined): DynamicModule {
    const hasMetricsPort = environment.METRICS_PORT !== undefined;
    return {
      module: ObservabilityModule,
      controllers: [StartController, HealthController, ...(hasMetricsPort ? [] : [MetricsController])],
      providers: [
        MetricsService,
        ShutdownState,
        Readiness,
        { provide: LOGGER, useValue: createLogger(environment.LOG_LEVEL, worker?.id) },
        {
          provide: METRICS_READER,
          inject: [MetricsService],
          useFactory: ({ registry }: MetricsService): MetricsReader =>
            coalesce(worker?.metricsOfAll ?? (() => registry.metrics())),
        },
      ],
    };
  }
}
