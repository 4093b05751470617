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

/** Reads metrics in the text format of Prometheus. */
export type MetricsReader = () => Promise<string>;

/** The injection token of the `MetricsReader`: for this process, or for all workers. */
export const METRICS_READER = Symbol('metrics text');

/** The injection token of a boolean: whether metrics are served on METRICS_PORT, and not on the public port. */
export const HAS_METRICS_PORT = Symbol('has metrics port');

/** The metrics of this process. */
@Injectable()
export class MetricsService {
  readonly registry = new Registry();

  private readonly requests = new Histogram({
    name: 'muster_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its response, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });

  constructor(
    replicas: Replicas,
    activeRequests: ActiveRequests,
    rejections: RejectionMetrics,
    database: Database,
    metrics: AppMetrics,
    auditLog: AuthAuditLog,
    @Inject(HAS_METRICS_PORT) hasMetricsPort: boolean,
  ) {
    collectDefaultMetrics({ register: this.registry });
    for (const metric of metrics.all) this.registry.registerMetric(metric);
    observeLoad(this.registry, database);
    observeRejections(this.registry, auditLog, hasMetricsPort);
    observeRequests(this.registry, activeRequests, rejections);
    observeReplicas(this.registry, replicas);
  }

  /** Times every request. The label is the pattern of the route, because ids would create unlimited series. */
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
