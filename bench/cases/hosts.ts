import { BUSY, type Case } from '../run/case';
import type { Fleet } from '../stand-in';
import { reads } from './reads';

/** How many different requests a case asks: enough to reach different rows, few enough to prepare quickly. */
const SAMPLE = 64;

/** Ids of hosts, spread over the fleet. */
const someIds = `SELECT id FROM devices WHERE project_id = $1 AND kind = 'host'
  ORDER BY hashint8extended(id, 0) LIMIT $2`;

/** A single host, and pages of them. */
export function hostCases(fleet: Fleet): Case[] {
  const ids = async (stage: Parameters<Case['prepare']>[0], count: number) =>
    (await stage.rows<{ id: string }>(fleet.databaseUrl, someIds, [fleet.credentials.project, count])).map(
      ({ id }) => id,
    );
  const page = (limit: number, sample: number): Case => ({
    name: `page of ${limit.toLocaleString('en')}, small documents`,
    group: 'pages',
    bar: { of: 'throughput', least: 0.5 },
    connections: BUSY,
    floor: 'node:http',
    prepare: async (stage) =>
      reads(
        stage,
        fleet,
        'http',
        (await ids(stage, sample)).map((id) => `/v1/hosts?limit=${String(limit)}&marker=${id}`),
      ),
  });
  return [
    {
      name: 'one host',
      group: 'one host',
      bar: { of: 'throughput', least: 0.6 },
      connections: BUSY,
      floor: 'Express',
      prepare: async (stage) =>
        reads(
          stage,
          fleet,
          'express',
          (await ids(stage, SAMPLE)).map((id) => `/v1/hosts/${id}`),
        ),
    },
    page(30, SAMPLE),
    page(1_000, 8),
  ];
}
