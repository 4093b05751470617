import { BUSY, type Case } from '../run/case';
import type { Fleet } from '../fleet/fleets';
import { hostsOfLargestRegion, reads } from './reads';

/** Pages of hosts with resolved variables from the largest region, whose documents are small. */
export function pageCases(fleet: Fleet): Case[] {
  const page = (limit: number, sample: number): Case => ({
    name: `page of ${limit.toLocaleString('en')} hosts`,
    group: 'Pages, resolved, small documents',
    bar: { of: 'throughput', min: 0.5 },
    connections: BUSY,
    floor: 'node:http',
    prepare: async (stage) => {
      const hosts = await hostsOfLargestRegion(stage, fleet, sample);
      return reads(
        stage,
        fleet,
        'http',
        hosts.map(
          ({ id, region }) =>
            `/v1/hosts?limit=${String(limit)}&region_id=${String(region)}&marker=${String(id)}`,
        ),
      );
    },
  });
  return [page(30, 64), page(1_000, 8)];
}
