import { Counter, Gauge, type Registry } from 'prom-client';
import type { Replicas } from '../database/replication/replicas';

/** Tells how replicas fare, and how many requests are read from where; nothing, where there are none. */
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
