import type { BenchProject, Fleet } from '../fleet/fleets';
import type { WhereCase } from '../fleet/samples';
import { ALONE, SHORT, type Case } from '../run/case';
import { reads, type Inventory } from './reads';

/** The maximum median latency (ms) by the beginning of a name, and of all others. */
const BARS: readonly (readonly [beginning: string, p50: number])[] = [
  ['levels', 10],
  ['a value each, frequent', 10],
  ['a value each, rare part', 500],
  ['a value each', 50],
  ['', 25],
];
const SMALL_PROJECT_BAR = 5;

/** One for each kind of plan. A quick run has only these. */
const MAIN: ReadonlySet<WhereCase> = new Set<WhereCase>([
  'levels, text of cells',
  'few values, at the last devices only',
  'a value each, frequent comparison',
  'a value each, prefix of a thousandth',
  'a value each, rare part',
  'exists, one in 33',
  'missing, by levels',
  'two, together rare',
]);

/** `where` conditions on a fleet, alone and with `vars` and a region, and on the small project in the same tables. */
export function whereCases(fleet: Fleet, quick: boolean): Case[] {
  const { samples } = fleet;
  const combined: [string, string][] = [
    ['where', 'serial >= "S0"'],
    ['where', 'role ^= "role-7"'],
    ['vars', 'site:"everywhere"'],
    ['region_id', String(samples.region.large)],
  ];
  const toCase = (
    name: string,
    group: string,
    p50: number,
    project: BenchProject,
    query: URLSearchParams,
  ): Case => ({
    name,
    group,
    bar: { of: 'latency', p50, p99: 5 * p50 },
    connections: ALONE,
    floor: 'node:http',
    duration: SHORT,
    prepare: (stage) => {
      const inventory: Inventory = { ...project, databaseUrl: fleet.databaseUrl };
      return reads(stage, inventory, 'http', [`/v1/hosts?limit=30&${query.toString()}`]);
    },
  });
  const of = (place: string, group: string, project: BenchProject, barOf: (name: string) => number): Case[] =>
    Object.entries(project.samples.where)
      .filter(([name]) => !quick || MAIN.has(name as WhereCase))
      .map(([name, conditions]) => {
        const query = new URLSearchParams(conditions.map((one): [string, string] => ['where', one]));
        return toCase(`where, ${place}: ${name}`, group, barOf(name), project, query);
      });
  const barOf = (name: string) => BARS.find(([beginning]) => name.startsWith(beginning))?.[1] ?? 0;
  const devices = fleet.devices.toLocaleString('en');
  const group = `Conditions, ${devices} devices`;
  return [
    ...of('fleet', group, fleet, barOf),
    toCase('where, fleet: two, with vars and a region', group, 25, fleet, new URLSearchParams(combined)),
    ...of(
      'small project',
      `Conditions, ${String(fleet.small.devices)} devices beside ${devices}`,
      fleet.small,
      () => SMALL_PROJECT_BAR,
    ),
  ];
}
