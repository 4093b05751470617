import type { Fleet } from '../fleet/fleets';
import { ALONE, SHORT, type Case } from '../run/case';
import { reads } from './reads';

/** The maximum median latencies (ms) in a fleet of a million devices, which is read whole. */
const COUNTS = 200;
const INHERITED = 300;
const OWN = 3000;

/** Counts of devices, and of the values that they resolve. */
export function statisticsCases(fleet: Fleet): Case[] {
  const one = (name: string, p50: number, path: string): Case => ({
    name: `statistics, ${name}`,
    group: `Statistics over ${fleet.devices.toLocaleString('en')} devices`,
    bar: { of: 'latency', p50, p99: 3 * p50 },
    connections: ALONE,
    floor: 'node:http',
    duration: SHORT,
    prepare: async (stage) => reads(stage, fleet, 'http', [path]),
  });
  const counts = (names: string) =>
    one(`devices by ${names.replace(',', ' and ')}`, COUNTS, `/v1/devices/counts?group_by=${names}`);
  const values = (name: string, p50: number, key: string) =>
    one(`values ${name}`, p50, `/v1/variable-keys/${key}/values`);
  return [
    counts('region,cell'),
    counts('label'),
    counts('kind'),
    counts('active'),
    counts('device_type'),
    values('of regions', INHERITED, 'dns_domain'),
    values('of cells', INHERITED, 'gateway'),
    values('of labels', INHERITED, 'tier'),
    values('of regions, cells and labels', INHERITED, 'zone'),
    values('of every level and some devices', OWN, 'ntp_server'),
    values('of devices, few different', OWN, 'os'),
    values('of devices, all different', OWN, 'serial'),
  ];
}
