import type { Fleet } from '../fleet/fleets';
import { ALONE, type Case } from '../run/case';
import type { Stage } from '../run/stage';
import { serviceSide, reads, hostsOfLargestRegion, type KnownHost } from './reads';

const SAMPLE = 32;

/** The request paths of a case for a fleet of any size. */
type PathsOf = (fleet: Fleet, hosts: readonly KnownHost[]) => readonly string[];

const page = (query: string) => `/v1/hosts?limit=30&${query}`;
const fixed =
  (query: (fleet: Fleet) => string): PathsOf =>
  (fleet) => [page(query(fleet))];

const PATHS: Readonly<Record<string, PathsOf>> = {
  'page of 30, anywhere': (_, hosts) => hosts.map(({ id }) => page(`marker=${String(id)}`)),
  'first page': () => ['/v1/hosts?limit=30'],
  'first marker': fixed(({ samples }) => `marker=${String(samples.marker.early)}`),
  'last marker': (_, hosts) => [page(`marker=${String(hosts.at(-1)?.id)}`)],
  'sorted by name, first page': fixed(() => 'sort_keys=name'),
  'sorted by name, last marker': fixed(
    ({ samples }) => `sort_keys=name&marker=${String(samples.nameMarker.last)}`,
  ),
  'filtered by cell': (_, hosts) =>
    hosts.filter(({ cell }) => cell !== null).map(({ cell }) => page(`cell_id=${String(cell)}`)),
  'filtered by the largest cell': fixed(({ samples }) => `cell_id=${String(samples.cell.large)}`),
  'filtered by a frequent label': fixed(({ samples }) => `label=${samples.label.frequent}`),
  'filtered by a rare label': fixed(({ samples }) => `label=${samples.label.rare}`),
  'filtered by name': (_, hosts) => hosts.map(({ name }) => page(`name=${name}`)),
  'filtered by address': (_, hosts) => hosts.map(({ address }) => page(`ip=${address}`)),
  'filtered by network': fixed(({ samples }) => `ip=${encodeURIComponent(samples.network)}`),
};

/** The same requests to a large fleet and to a small one. */
export function sizeCases(large: Fleet, small: Fleet): Case[] {
  const group = `${large.devices.toLocaleString('en')} devices against ${small.devices.toLocaleString('en')}`;
  return Object.entries(PATHS).map(([name, pathsOf]) => ({
    name: `${large.devices.toLocaleString('en')} devices: ${name}`,
    group,
    bar: { of: 'reference', max: 1.3 },
    connections: ALONE,
    floor: 'node:http',
    reference: `the same of ${small.devices.toLocaleString('en')}`,
    prepare: async (stage) => {
      const paths = async (stage: Stage, fleet: Fleet) =>
        pathsOf(fleet, await hostsOfLargestRegion(stage, fleet, SAMPLE));
      const sides = await reads(stage, large, 'http', await paths(stage, large));
      return { ...sides, reference: await serviceSide(stage, small, await paths(stage, small)) };
    },
  }));
}
