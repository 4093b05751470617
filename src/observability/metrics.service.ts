import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Histogram, Registry, Counter, Gauge } from 'prom-client';
import type { NextFunction, Request, Response } from 'express';
import { Environment } from '../config/environment';
import { AuthAuditLog } from '../auth/auth-audit-log';
import { ActiveRequests } from '../http/active-requests';
import { RejectionMetrics } from '../http/rejection-metrics';
import { routeOf } from '../http/request';
import { AppMetrics } from '../core/app-metrics';
import { Database } from '../database/database';
import { DatabaseWatchdog } from '../database/health/database-watchdog';
import { Replicas } from '../database/replication/replicas';
import { Readiness } from './readiness';

/** Reads metrics in the text format of Prometheus. */
export type MetricsReader = () => Promise<string>;

/** The injection token of the `MetricsReader`: for this process, or for all workers. */
export const METRICS_READER = Symbol('metrics text');

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
    watchdog: DatabaseWatchdog,
    readiness: Readiness,
    metrics: AppMetrics,
    auditLog: AuthAuditLog,
    { METRICS_PORT }: Environment,
  ) {
    collectDefaultMetrics({ register: this.registry });
    for (const metric of metrics.all) this.registry.registerMetric(metric);
    observeLoad(this.registry, database);
    observeAvailability(this.registry, watchdog, readiness);
    observeRejections(this.registry, auditLog, METRICS_PORT !== undefined);
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

/** Metrics of the availability of the primary, and of the service. They do not depend on requests. */
function observeAvailability(registry: Registry, watchdog: DatabaseWatchdog, readiness: Readiness): void {
  const up = new Gauge({
    name: 'muster_database_up',
    help: '1 if the database answers, 0 if not. It is probed twice a second, with and without requests.',
    aggregator: 'min',
    registers: [registry],
    collect: () => {
      up.set(watchdog.isAvailable ? 1 : 0);
    },
  });
  const ready = new Gauge({
    name: 'muster_ready',
    help: '1 if /readyz would respond that the service can handle requests, 0 if not.',
    aggregator: 'min',
    registers: [registry],
    collect: async () => {
      // `/readyz` has the reason.
      const isReady = await readiness.check().then(
        () => true,
        () => false,
      );
      ready.set(isReady ? 1 : 0);
    },
  });
}

/** Metrics of the process load and of the connection pools. */
function observeLoad(registry: Registry, database: Database): void {
  const registers = [registry];
  const connections = new Gauge({
    name: 'muster_database_connections',
    help: 'Connections of the pool to the primary, by state.',
    labelNames: ['state'],
    registers,
    collect: () => {
      const { all, idle } = database.connections;
      connections.set({ state: 'used' }, all - idle);
      connections.set({ state: 'idle' }, idle);
    },
  });
  const max = new Gauge({
    name: 'muster_database_connections_max',
    help: 'Maximum size of the pool to the primary (DATABASE_POOL_SIZE of each process).',
    registers,
    collect: () => {
      max.set(database.connections.max);
    },
  });
  const waiting = new Gauge({
    name: 'muster_database_waiting',
    help: 'Statements and transactions that wait for a connection of the pool to the primary, or for other reads.',
    registers,
    collect: () => {
      waiting.set(database.connections.waiting);
    },
  });
  let before = performance.eventLoopUtilization();
  const loop = new Gauge({
    name: 'muster_event_loop_utilisation',
    help: 'The share of the time since the last collection in which the event loop was busy: 0 to 1.',
    aggregator: 'average',
    registers,
    collect: () => {
      const now = performance.eventLoopUtilization();
      loop.set(performance.eventLoopUtilization(now, before).utilization);
      before = now;
    },
  });
}

/**
 * Counts requests that failed authentication or authorization.
 * @param withReasons whether to show the reasons of failed authentications. They would help an attacker who guesses
 * credentials
 */
function observeRejections(registry: Registry, auditLog: AuthAuditLog, withReasons: boolean): void {
  const registers = [registry];
  const authentications = new Counter({
    name: 'muster_authentication_failures_total',
    help: 'Requests that failed authentication. Only METRICS_PORT shows the reasons.',
    labelNames: withReasons ? ['reason'] : [],
    registers,
    collect: () => {
      authentications.reset();
      for (const [reason, count] of auditLog.failedAuthentications)
        authentications.inc(withReasons ? { reason } : {}, count);
    },
  });
  const authorisations = new Counter({
    name: 'muster_authorization_failures_total',
    help: 'Requests that the roles of their user did not allow.',
    registers,
    collect: () => {
      authorisations.reset();
      authorisations.inc(auditLog.deniedRequests);
    },
  });
}

/** Metric of the expiry of the TLS certificate, if there is one. */
export function observeCertificate(registry: Registry, certificate: { readonly endsAt: number }): void {
  const end = new Gauge({
    name: 'muster_tls_certificate_expiry_timestamp_seconds',
    help: 'When the certificate in use ends, in seconds since the epoch.',
    aggregator: 'min',
    registers: [registry],
    collect: () => {
      end.set(certificate.endsAt);
    },
  });
}

/** Metrics of the replicas and of where requests read; none without replicas. */
function observeReplicas(registry: Registry, replicas: Replicas): void {
  if (!replicas.areConfigured) return;
  const registers = [registry];
  const reads = new Counter({
    name: 'muster_database_reads_total',
    help: 'Requests whose reads can use a replica, by the selected server.',
    labelNames: ['server'],
    registers,
    collect: () => {
      reads.reset();
      reads.inc({ server: 'primary' }, replicas.readsOfPrimary);
      for (const replica of replicas.status) reads.inc({ server: replica.name }, replica.reads);
    },
  });
  const lag = new Gauge({
    name: 'muster_replica_lag_seconds',
    help: 'Replication lag: for how long a write that the primary flushed has been missing on a replica.',
    labelNames: ['server'],
    aggregator: 'max',
    registers,
    collect: () => {
      lag.reset();
      for (const { name, lagSeconds } of replicas.status)
        if (Number.isFinite(lagSeconds)) lag.set({ server: name }, lagSeconds);
    },
  });
  const used = new Gauge({
    name: 'muster_replica_used',
    help: '1 if a replica is used for reads, 0 if it is unavailable or too far behind.',
    labelNames: ['server'],
    aggregator: 'min',
    registers,
    collect: () => {
      for (const { name, isUsed } of replicas.status) used.set({ server: name }, isUsed ? 1 : 0);
    },
  });
}

/** Metrics of requests and rejections. */
function observeRequests(
  registry: Registry,
  activeRequests: ActiveRequests,
  rejections: RejectionMetrics,
): void {
  const registers = [registry];
  const present = new Gauge({
    name: 'muster_http_requests_in_flight',
    help: 'Requests in progress, limited by MAX_IN_FLIGHT.',
    registers,
    collect: () => {
      present.set(activeRequests.count);
    },
  });
  const rejected = new Counter({
    name: 'muster_http_rejections_total',
    help: 'Requests rejected or aborted because of load, too many wrong credentials or a slow client.',
    labelNames: ['reason'],
    registers,
    collect: () => {
      rejected.reset();
      for (const [reason, count] of rejections.byReason) rejected.inc({ reason }, count);
    },
  });
}
