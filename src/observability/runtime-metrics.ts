import { Counter, Gauge, type Registry } from 'prom-client';
import type { AuthAuditLog } from '../auth/audit-log/auth-audit-log';
import type { Database } from '../database/database';

/** Tells how busy the process and its connections to the database are. */
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
 * @param withReasons whether the reasons of failed authentications are shown: they help whoever guesses credentials
 */
export function observeRefusals(registry: Registry, refusals: AuthAuditLog, withReasons: boolean): void {
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

/** Tells when the certificate ends that is used, where there is one. */
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
