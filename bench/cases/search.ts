import type { Fleet } from '../fleet/fleets';
import { ALONE, SHORT, type Case } from '../run/case';
import { reads } from './reads';

/** The maximum median latency (ms), except for parts of names. */
const INDEXED = 15;
/** The same for parts of names: a second statement, whose index has long lists for common parts. */
const PARTS = 100;

/** Searches, each case with several texts in turns. */
export function searchCases(fleet: Fleet): Case[] {
  const { host } = fleet.samples;
  const one = (name: string, p50: number, texts: readonly (string | number)[]): Case => ({
    name: `search, ${name}`,
    group: `Search in ${fleet.devices.toLocaleString('en')} devices`,
    bar: { of: 'latency', p50, p99: 3 * p50 },
    connections: ALONE,
    floor: 'node:http',
    duration: SHORT,
    prepare: async (stage) =>
      reads(
        stage,
        fleet,
        'http',
        texts.map((text) => `/v1/search?q=${encodeURIComponent(text)}`),
      ),
  });
  return [
    one('prefixes of names', INDEXED, [
      'cel',
      'reg',
      'label-1',
      'cell-07',
      host.name.slice(0, -2),
      'ntp',
      'serial',
    ]),
    one('names, ids and addresses', INDEXED, [
      host.name,
      host.id,
      host.address,
      fleet.samples.network,
      '10.0.7.',
    ]),
    one('values', INDEXED, ['debian-12', 'debian-9', 'role-7', 'gw-7', 'dns-0', 'team-17']),
    one('parts of names', PARTS, ['host', 'switch', '-0123', host.name.slice(-7), 'ost-00']),
    one('nothing', INDEXED, ['web', 'nowhere', '192.0.2.7', 'db-17']),
  ];
}
