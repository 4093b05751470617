import type { Fleet } from '../fleet/fleets';
import { recordScripts, type Write } from '../floor/recorder';
import { addressOf, markerOf } from '../floor/script';
import { BUSY, type Case, type Sides } from '../run/case';
import type { Side } from '../run/load';
import type { Stage } from '../run/stage';
import { serviceSide, someHosts, type KnownHost } from './reads';

/** The number of written hosts: enough that concurrent writes rarely wait for each other. */
const SAMPLE = 64;

let markers = Date.now() * 100;
/** A marker that is unique across runs. */
export const nextMarker = (): string => markerOf(markers++ % 1e15);

/** The creation of a host with variables. */
export const creation =
  (fleet: Fleet): Write =>
  (marker) => ({
    method: 'POST',
    path: '/v1/hosts',
    body: JSON.stringify({
      name: marker,
      region_id: fleet.samples.region.large,
      ip_address: addressOf(marker),
      device_type: 'server',
      variables: { serial: `S${marker}`, os: 'debian-12', cores: 16, rack: { row: 1, unit: 2 } },
    }),
  });

export const update =
  ({ id }: KnownHost): Write =>
  (marker) => ({ method: 'PUT', path: `/v1/hosts/${String(id)}`, body: JSON.stringify({ note: marker }) });

export const variablesPut =
  ({ id }: KnownHost): Write =>
  (marker) => ({
    method: 'PUT',
    path: `/v1/hosts/${String(id)}/variables`,
    body: JSON.stringify({ bench: marker }),
  });

/** Writes of single devices, each with its change record. */
export function writeCases(copy: () => Promise<Fleet>): Case[] {
  const one = (
    name: string,
    writes: (fleet: Fleet, hosts: readonly KnownHost[]) => readonly Write[],
  ): Case => ({
    name: `write: ${name}`,
    group: 'Writes, each with its change record',
    bar: { of: 'throughput', min: 0.5 },
    connections: BUSY,
    floor: 'Express, the same SQL',
    prepare: async (stage) => {
      const fleet = await copy();
      return writeSides(stage, fleet, writes(fleet, await someHosts(stage, fleet, SAMPLE)));
    },
  });
  return [
    one('create a host', (fleet) => [creation(fleet)]),
    one('update a host', (_, hosts) => hosts.map(update)),
    one('PUT of variables', (_, hosts) => hosts.map(variablesPut)),
  ];
}

/** The service, and a floor that runs the same statements. */
async function writeSides(stage: Stage, fleet: Fleet, writes: readonly Write[]): Promise<Sides> {
  await recordScripts(stage.tested, fleet.databaseUrl, fleet.credentials, writes, nextMarker);
  const { url, pid } = await stage.floor('express', fleet.databaseUrl);
  const service = await serviceSide(stage, fleet, []);
  return {
    service: { ...service, next: roundRobin(writes) },
    floor: { ...service, url, pid, next: roundRobin(writes) },
  };
}

/** Cycles through the writes, each time with a new marker. */
export function roundRobin(writes: readonly Write[]): NonNullable<Side['next']> {
  let turn = 0;
  return () => {
    const write = writes[turn++ % writes.length];
    if (!write) throw new Error('there are no writes');
    return write(nextMarker());
  };
}
