import { BUSY, type Case } from '../run/case';
import type { Fleet } from '../fleet/fleets';
import { reads, someHosts } from './reads';

/** The number of different hosts: enough to spread over the table, and few enough to prepare quickly. */
const SAMPLE = 64;

/** One host with its resolved variables. */
export function singleHostCases(fleet: Fleet): Case[] {
  return [
    {
      name: 'one host',
      group: 'One host, resolved variables',
      bar: { of: 'throughput', min: 0.6 },
      connections: BUSY,
      floor: 'Express',
      prepare: async (stage) => {
        const hosts = await someHosts(stage, fleet, SAMPLE);
        return reads(
          stage,
          fleet,
          'express',
          hosts.map(({ id }) => `/v1/hosts/${String(id)}`),
        );
      },
    },
  ];
}
