import { Counter, Gauge, type Registry } from 'prom-client';
import type { AuthAuditLog } from '../auth/audit-log/auth-audit-log';
import type { Database } from '../database/database';
import type { Replicas } from '../database/replication/replicas';
import type { ActiveRequests, RejectionMetrics } from '../http/active-requests';

/** Metrics of the process load and of the connection pools. */
export function observeLoad(registry: Registry, database: Database): void {
  const registers = [registry];
  const connections = new Gauge({
    name: 'muster_database_connections',
    help: 'Connections of the pool to the primary, by whether they are at work.',
    labelNames: ['state'],
    registers,
    collect: () => {
      const { all, idle } = database.connections;
      connections.set({ state: 'used' }, all - idle);
      connections.set({ state: 'idle' }, idle);
    },
  });
  const most = new Gauge({
    name: 'muster_database_connections_max',
    help: 'The most connections that the pool to the primary may have (DATABASE_POOL_SIZE of each process).',
    registers,
    collect: () => {
      most.set(database.connections.most);
    },
  });
  const waiting = new Gauge({
    name: 'muster_database_waiting',
    help: 'Statements and transactions that wait for a connection of the pool to the primary.',
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
 * @param withReasons whether the reasons of failed authentications are shown: they help an attacker who guesses credentials
 */
export function observeRejections(registry: Registry, refusals: AuthAuditLog, withReasons: boolean): void {
  const registers = [registry];
  const authentications = new Counter({
    name: 'muster_authentication_refusals_total',
    help: 'Requests that failed authentication. Only METRICS_PORT shows the reasons.',
    labelNames: withReasons ? ['reason'] : [],
    registers,
    collect: () => {
      authentications.reset();
      for (const [reason, count] of refusals.failedAuthentications)
        authentications.inc(withReasons ? { reason } : {}, count);
    },
  });
  const authorisations = new Counter({
    name: 'muster_authorisation_refusals_total',
    help: 'Requests that the roles of their user did not allow.',
    registers,
    collect: () => {
      authorisations.reset();
      authorisations.inc(refusals.deniedRequests);
    },
  });
}

/** Metric of the expiry of the TLS certificate, if there is one. */
export function observeCertificate(registry: Registry, certificate: { readonly endsAt: number }): void {
  const end = new Gauge({
    name: 'muster_tls_certificate_end_timestamp_seconds',
    help: 'When the certificate in use ends, in seconds since the epoch.',
    aggregator: 'min',
    registers: [registry],
    collect: () => {
      end.set(certificate.endsAt);
    },
  });
}

/** Metrics of the replicas and of where requests read; none without replicas. */
export function observeReplicas(registry: Registry, replicas: Replicas): void {
  if (!replicas.areThere) return;
  const registers = [registry];
  const reads = new Counter({
    name: 'muster_database_reads_total',
    help: 'Requests that read where it may be a replica, by the server that was chosen for them.',
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
    help: 'For how long something that was there on the primary has been lacking on a replica.',
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
    help: '1 if a replica is read from, 0 if it is away or too far behind.',
    labelNames: ['server'],
    aggregator: 'min',
    registers,
    collect: () => {
      for (const { name, isUsed } of replicas.status) used.set({ server: name }, isUsed ? 1 : 0);
    },
  });
}

/** Metrics of requests and rejections. */
export function observeRequests(
  registry: Registry,
  activeRequests: ActiveRequests,
  rejections: RejectionMetrics,
): void {
  const registers = [registry];
  const present = new Gauge({
    name: 'muster_http_requests_in_flight',
    help: 'Requests that are being worked on or answered, of which there is a most (MAX_IN_FLIGHT).',
    registers,
    collect: () => {
      present.set(activeRequests.count);
    },
  });
  const refused = new Counter({
    name: 'muster_http_refusals_total',
    help: 'Requests that were refused, or cut off, for too many of them, too many wrong credentials or a slow client.',
    labelNames: ['reason'],
    registers,
    collect: () => {
      refused.reset();
      for (const [reason, count] of rejections.byReason) refused.inc({ reason }, count);
    },
  });
}
