import type { Fleet } from '../fleet/fleets';
import { recordScripts, type Write } from '../floor/recorder';
import type { Case, Observed } from '../run/case';
import type { BenchRequest, Side } from '../run/load';
import { metric } from '../run/metrics';
import { hasProc, peakMemory } from '../run/processes';
import { reads, someHosts, type KnownHost } from './reads';
import { creation, nextMarker, update, variablesPut } from './writes';

const CLIENTS = 64;
/** The number of reads per ten requests. */
const READS_OF_TEN = 9;

/** Many concurrent clients with a mixture of typical reads and some writes. */
export function mixedCases(copy: () => Promise<Fleet>): Case[] {
  return [
    {
      name: 'mixed: 64 clients, 90 % reads',
      group: 'Many clients',
      bar: { of: 'service', delay: 100, memory: 400 },
      connections: CLIENTS,
      // In a short round, the slow requests at its end would count more than their share.
      duration: 6,
      floor: 'Express, the same answers and SQL',
      prepare: async (stage) => {
        const fleet = await copy();
        const hosts = await someHosts(stage, fleet, 100);
        const written = hosts.slice(0, 20);
        const writes = [creation(fleet), ...written.map(update), ...written.map(variablesPut)];
        await recordScripts(stage.tested, fleet.databaseUrl, fleet.credentials, writes, nextMarker);
        // Restart the service, so that its peak memory is that of this case.
        await stage.clear();
        const paths = readPaths(fleet, hosts);
        const { service, floor } = await reads(stage, fleet, 'express', paths);
        const watched = watch(service);
        return {
          service: { ...service, next: mixture(paths, writes), watch: watched },
          floor: { ...floor, next: mixture(paths, writes) },
          observe: () => Promise.resolve(watched.observed()),
        };
      },
    },
  ];
}

function readPaths(fleet: Fleet, hosts: readonly KnownHost[]): string[] {
  const { samples } = fleet;
  const vars = Object.values(samples.vars).map((filter) => new URLSearchParams({ vars: filter }).toString());
  return [
    ...hosts.map(({ id }) => `/v1/hosts/${String(id)}`),
    ...hosts.slice(0, 30).map(({ id }) => `/v1/hosts/${String(id)}/variables`),
    ...hosts.slice(0, 30).map(({ id }) => `/v1/hosts?limit=30&marker=${String(id)}`),
    ...hosts.slice(30, 60).map(({ name }) => `/v1/hosts?name=${name}`),
    `/v1/devices?limit=30&region_id=${String(samples.region.large)}`,
    ...vars.map((filter) => `/v1/hosts?limit=30&${filter}`),
    `/v1/hosts?limit=30&label=${samples.label.frequent}`,
    `/v1/hosts?limit=30&cell_id=${String(samples.cell.large)}`,
    `/v1/hosts?limit=30&sort_keys=name`,
    `/v1/hosts?limit=200`,
    `/v1/cells?limit=100`,
    `/v1/labels?limit=100`,
    `/v1/regions?limit=10`,
  ];
}

/** A pseudo-random sequence, the same in every run. */
function mixture(paths: readonly string[], writes: readonly Write[]): () => BenchRequest {
  let state = 1;
  const roll = (sides: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
  return () => {
    const path = paths[roll(paths.length)];
    const write = writes[roll(3) === 0 ? 0 : roll(writes.length)];
    if (path === undefined || !write) throw new Error('there are no requests');
    return roll(10) < READS_OF_TEN ? { path } : write(nextMarker());
  };
}

interface Watched extends NonNullable<Side['watch']> {
  observed(): Observed;
}

/** Reads the event loop delay from the service's metrics, which each read resets. */
function watch({ url, pid }: Side): Watched {
  const delays: number[] = [];
  const read = () => metric(url, 'nodejs_eventloop_lag_p99_seconds');
  return {
    begin: async () => {
      await read();
    },
    end: async () => {
      delays.push((await read()) * 1000);
    },
    observed: () => ({
      eventLoopDelay: Math.max(...delays),
      ...(hasProc ? { peakMemory: peakMemory(pid) / 2 ** 20 } : {}),
    }),
  };
}
