import type { Case } from '../run/case';
import { round } from '../run/load';
import { resetPeak, hasProc, peakMemory } from '../run/processes';
import { startService } from '../run/service';
import type { Stage } from '../run/stage';
import { serviceSide, reads, type Inventory } from './reads';

/** Few enough for the memory of the load generator: a page of 1,000 takes 70 MB. */
const CLIENTS = 4;
/** The limit of memory growth (MiB): less than one of the four concurrent pages. */
const GROWTH = 64;

const path = (limit: number) => `/v1/hosts?limit=${String(limit)}`;

/** Pages of a real fleet, whose hosts have about 70 kB of variables each. */
export function realPageCases(inventory: () => Promise<Inventory>): Case[] {
  const page = (limit: number, growth?: number): Case => ({
    name: `real fleet: page of ${limit.toLocaleString('en')} hosts`,
    group: 'Pages of the real fleet, 70 kB a host',
    bar: { of: 'throughput', min: 0.5, ...(growth === undefined ? {} : { growth }) },
    connections: CLIENTS,
    floor: 'node:http',
    prepare: async (stage) => {
      const real = await inventory();
      const sides = await reads(stage, real, 'http', [path(limit)]);
      if (growth === undefined || !hasProc) return sides;
      return { ...sides, observe: () => memoryOf(stage, real, limit) };
    },
  });
  return [page(30), page(1_000, GROWTH)];
}

/** How much more memory a new process uses for pages of `limit` hosts than for pages of 30. */
async function memoryOf(stage: Stage, real: Inventory, limit: number) {
  const { url, pid, stop } = await fresh(stage, real);
  const service = { ...(await serviceSide(stage, real, [])), url, pid };
  const peakOf = async (limit: number, amount: number) => {
    resetPeak(pid);
    await round(
      { ...service, requests: [{ path: path(limit) }] },
      { connections: CLIENTS, amount, server: stage.server },
    );
    return peakMemory(pid) / 2 ** 20;
  };
  try {
    const small = await peakOf(30, 200);
    const large = await peakOf(limit, 16);
    return { peakMemory: large, memoryGrowth: large - small };
  } finally {
    await stop();
  }
}

async function fresh(stage: Stage, { databaseUrl }: Inventory) {
  const program = await startService({ ...stage.tested, profiles: undefined }, databaseUrl);
  return { url: program.url, pid: program.pid, stop: () => program.stop() };
}
