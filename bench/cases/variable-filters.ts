import type { BenchProject, Fleet } from '../fleet/fleets';
import type { VarsCase } from '../fleet/samples';
import { ALONE, SHORT, type Case } from '../run/case';
import { reads, type Inventory } from './reads';

/** One for each way in which a device gets a value. A quick run has only these. */
const MAIN: ReadonlySet<VarsCase> = new Set<VarsCase>([
  'own, rare',
  'own, frequent',
  'own, at the last devices only',
  'inherited from the largest region',
  'inherited from cells',
  'inherited from labels',
  'overridden at every level: a value of all',
  'inherited, but nearly always overridden',
  'two, both frequent',
  'two, together rare',
  'three, of three levels',
  'three, together rare',
  'no match: no such value',
  'no match: no such value at any level',
]);

/** Milliseconds. */
const BAR = { p50: 5, p99: 25 };
/** No index has the keys below a wildcard, so its filters read all documents that set the variable. */
const BARS: Partial<Record<VarsCase, typeof BAR>> = {
  'any key': { p50: 50, p99: 100 },
  'any key, no match': { p50: 300, p99: 600 },
};

/** `vars` filters on a fleet, and on the small project in the same tables. */
export function variableFilterCases(fleet: Fleet, quick: boolean): Case[] {
  const of = (where: string, group: string, project: BenchProject): Case[] =>
    Object.entries(project.samples.vars)
      .filter(([name]) => !quick || MAIN.has(name as VarsCase))
      .map(([name, vars]) => ({
        name: `vars, ${where}: ${name}`,
        group,
        bar: { of: 'latency', ...(BARS[name as VarsCase] ?? BAR) },
        connections: ALONE,
        floor: 'node:http',
        duration: SHORT,
        prepare: (stage) => {
          const inventory: Inventory = { ...project, databaseUrl: fleet.databaseUrl };
          return reads(stage, inventory, 'http', [
            `/v1/hosts?limit=30&${new URLSearchParams({ vars }).toString()}`,
          ]);
        },
      }));
  const devices = fleet.devices.toLocaleString('en');
  return [
    ...of('fleet', `Variable filters, ${devices} devices`, fleet),
    ...of(
      'small project',
      `Variable filters, ${String(fleet.small.devices)} devices beside ${devices}`,
      fleet.small,
    ),
  ];
}
