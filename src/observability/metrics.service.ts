import { Inject, Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { NextFunction, Request, Response } from 'express';
import { AuthAuditLog } from '../auth/audit-log/auth-audit-log';
import { ActiveRequests, RejectionMetrics } from '../http/active-requests';
import { routeOf } from '../http/request';
import { AppMetrics } from '../core/app-metrics';
import { Database } from '../database/database';
import { Replicas } from '../database/replication/replicas';
import { observeLoad, observeRejections, observeReplicas, observeRequests } from './runtime-metrics';

/** Gives metrics in the text format of Prometheus. */
export type MetricsReader = () => Promise<string>;

/** The token of the metrics that the service's own route answers: this process's, or those of all. */
export const METRICS_READER = Symbol('metrics text');

/** The injection token of a boolean: whether metrics are served on METRICS_PORT, and not on the public port. */
export const HAS_METRICS_PORT = Symbol('has metrics port');

/** What this process counts and measures. */
@Injectable()
export class MetricsService {
  readonly registry = new Registry();

  private readonly requests = new Histogram({
    name: 'muster_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });

  constructor(
    replicas: Replicas,
    activeRequests: ActiveRequests,
    rejections: RejectionMetrics,
    database: Database,
    measurements: AppMetrics,
    refusalLog: AuthAuditLog,
    @Inject(HAS_METRICS_PORT) hasMetricsPort: boolean,
  ) {
    collectDefaultMetrics({ register: this.registry });
    for (const metric of measurements.all) this.registry.registerMetric(metric);
    observeLoad(this.registry, database);
    observeRejections(this.registry, refusalLog, hasMetricsPort);
    observeRequests(this.registry, activeRequests, rejections);
    observeReplicas(this.registry, replicas);
  }

  /** Times every request. The route is its pattern, so that ids do not make series without end. */
  readonly observe = (request: Request, response: Response, next: NextFunction): void => {
    const start = performance.now();
    response.once('close', () => {
      const route = routeOf(request);
      const seconds = (performance.now() - start) / 1000;
      this.requests.observe({ method: request.method, route, status: String(response.statusCode) }, seconds);
    });
    next();
  };
}
