import type { BenchProject, Fleet } from '../fleet/fleets';
import type { VarsCase } from '../fleet/samples';
import { ALONE, SHORT, type Case } from '../run/case';
import { reads, serviceSide, type Inventory } from './reads';

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

/** Milliseconds, and how many times as long as in the smallest fleet. */
const BAR = { p50: 5, p99: 25, ratio: 1.3 };
/** No index has the keys below a wildcard, so its filters read all documents that set the variable. */
const BARS: Partial<Record<VarsCase, Pick<typeof BAR, 'p50' | 'p99'>>> = {
  'any key': { p50: 50, p99: 100 },
  'any key, no match': { p50: 300, p99: 600 },
};

const pageOf = (vars: string): string => `/v1/hosts?limit=30&${new URLSearchParams({ vars }).toString()}`;

/**
 * `vars` filters on a fleet, and on the small project in the same tables.
 * @param smallest the fleet to compare with
 */
export function variableFilterCases(fleet: Fleet, smallest: Fleet | undefined, quick: boolean): Case[] {
  const of = (where: string, group: string, project: BenchProject, reference: Fleet | undefined): Case[] =>
    Object.entries(project.samples.vars)
      .filter(([name]) => !quick || MAIN.has(name as VarsCase))
      .map(([name, vars]) => ({
        name: `vars, ${where}: ${name}`,
        group,
        bar: { of: 'latency', ...(BARS[name as VarsCase] ?? BAR) },
        connections: ALONE,
        floor: 'node:http',
        ...(reference ? { reference: `the same of ${reference.devices.toLocaleString('en')}` } : {}),
        duration: SHORT,
        prepare: async (stage) => {
          const inventory: Inventory = { ...project, databaseUrl: fleet.databaseUrl };
          const sides = await reads(stage, inventory, 'http', [pageOf(vars)]);
          if (!reference) return sides;
          const paths = [pageOf(reference.samples.vars[name as VarsCase])];
          return { ...sides, reference: await serviceSide(stage, reference, paths) };
        },
      }));
  const devices = fleet.devices.toLocaleString('en');
  return [
    ...of('fleet', `Variable filters, ${devices} devices`, fleet, smallest),
    ...of(
      'small project',
      `Variable filters, ${String(fleet.small.devices)} devices beside ${devices}`,
      fleet.small,
      undefined,
    ),
  ];
}
