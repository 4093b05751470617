import fc from '../support/property-testing';
import { asObject, exactJson } from '../../client/src/api/exact-json';
import { Fleet } from '../../client/src/hoist/fleet';
import { planHoist, type HoistOptions, type HoistPlan } from '../../client/src/hoist/plan-hoist';
import { seedOf } from '../support/seeds';

/** A line of an export. */
interface Line {
  readonly kind: string;
  readonly name?: string;
  readonly label?: string;
  readonly region?: string;
  readonly cell?: string | null;
  readonly labels?: readonly string[];
  readonly variables: Readonly<Record<string, unknown>>;
  readonly unset_variables?: readonly string[];
}

const host = (
  name: string,
  region: string,
  cell: string | null,
  variables: object,
  labels: string[] = [],
): Line => ({
  ...{ kind: 'host', name, region, cell, labels },
  variables: variables as Line['variables'],
});

function plan(lines: readonly Line[], options: Partial<HoistOptions> = {}): HoistPlan {
  const keys = options.keys;
  const fleet = new Fleet(keys && new Set(keys));
  for (const line of lines) fleet.add(asObject(exactJson.parse(JSON.stringify(line))));
  return planHoist(fleet, { keys: undefined, minSaving: 1, keepsRegions: false, ...options });
}

const bodies = ({ lines }: HoistPlan): Line[] =>
  JSON.parse(exactJson.stringify(lines.map(({ body }) => body))) as Line[];

const FLEET: Line[] = [
  { kind: 'label', label: 'web', variables: { port: 443 } },
  { kind: 'region', name: 'r1', variables: { domain: 'r1.example' } },
  { kind: 'cell', region: 'r1', name: 'c1', variables: {} },
  { kind: 'cell', region: 'r1', name: 'c2', variables: { dns: ['10.0.0.2'] } },
  host('a', 'r1', 'c1', { ntp: 1, dns: ['10.0.0.1'], port: 443 }, ['web']),
  host('b', 'r1', 'c1', { ntp: 1, dns: ['10.0.0.1'], serial: 'x' }),
  host('c', 'r1', 'c2', { ntp: 1, domain: 'r1.example' }),
  { ...host('d', 'r1', null, { ntp: 2, dns: ['10.0.0.1'] }), kind: 'network-device' },
];

it('moves shared values to cells and regions, and removes values that are inherited anyway', () => {
  const hoisted = plan(FLEET);
  expect(hoisted.keys).toEqual([
    {
      key: 'dns',
      before: { regions: 0, cells: 1, devices: 3 },
      after: { regions: 1, cells: 1, devices: 0 },
      set: [{ kind: 'region', name: 'r1', value: '["10.0.0.1"]' }],
    },
    {
      ...{ key: 'domain', set: [] },
      before: { regions: 1, cells: 0, devices: 1 },
      after: { regions: 1, cells: 0, devices: 0 },
    },
    {
      key: 'ntp',
      before: { regions: 0, cells: 0, devices: 4 },
      after: { regions: 1, cells: 0, devices: 1 },
      set: [{ kind: 'region', name: 'r1', value: '1' }],
    },
    {
      ...{ key: 'port', set: [] },
      before: { regions: 0, cells: 0, devices: 1 },
      after: { regions: 0, cells: 0, devices: 0 },
    },
  ]);
  expect(bodies(hoisted)).toEqual([
    { kind: 'region', name: 'r1', variables: { dns: ['10.0.0.1'], ntp: 1 } },
    { kind: 'host', name: 'a', unset_variables: ['dns', 'ntp', 'port'] },
    { kind: 'host', name: 'b', unset_variables: ['dns', 'ntp'] },
    { kind: 'network-device', name: 'd', unset_variables: ['dns'] },
    { kind: 'host', name: 'c', unset_variables: ['domain', 'ntp'] },
  ]);
});

it('moves only the given keys, only to cells, and only if that saves enough', () => {
  expect(plan(FLEET, { keys: ['ntp', 'missing'] }).keys.map(({ key }) => key)).toEqual(['ntp']);
  expect(plan(FLEET, { keys: ['ntp'], keepsRegions: true }).keys).toMatchObject([
    {
      after: { regions: 0, cells: 1, devices: 2 },
      set: [{ kind: 'cell', region: 'r1', name: 'c1', value: '1' }],
    },
  ]);
  expect(plan(FLEET, { keys: ['ntp'], minSaving: 2 }).keys).toHaveLength(1);
  expect(plan(FLEET, { keys: ['ntp'], minSaving: 3 }).keys).toHaveLength(0);
});

it('does not make a value that a few devices share the default of the others', () => {
  const values = [1, 1, 2, 3, 4, 5];
  const lines = values.map((rack, i) => host(String(i), 'r1', 'c1', { rack }));
  expect(plan(lines).keys).toEqual([]);
});

it('leaves devices without the variable, and devices that inherit it, as they are', () => {
  expect(
    plan([host('a', 'r1', 'c1', { x: 1 }), host('b', 'r1', 'c1', { x: 1 }), host('c', 'r1', 'c1', {})]).keys,
  ).toEqual([]);
  const inheriting = [
    { kind: 'region', name: 'r1', variables: { x: 2 } },
    ...['a', 'b', 'c'].map((name) => host(name, 'r1', 'c1', { x: 1 })),
    host('d', 'r1', 'c1', {}),
  ];
  expect(plan(inheriting).keys).toEqual([]);
});

it('keeps every digit', () => {
  const fleet = new Fleet(undefined);
  for (const name of ['a', 'b'])
    fleet.add({
      ...{ kind: 'host', name, region: 'r', cell: null, labels: [] },
      variables: exactJson.parse('{"n":1.10}'),
    });
  const { keys } = planHoist(fleet, { keys: undefined, minSaving: 1, keepsRegions: false });
  expect(keys[0]?.set).toEqual([{ kind: 'region', name: 'r', value: '1.10' }]);
});

describe('a random fleet', () => {
  const REGIONS = ['r1', 'r2'];
  const CELLS = ['c1', 'c2'];
  const LABELS = ['a', 'b', '\u{1F600}', '\uFB00'];
  const variables = fc.dictionary(fc.constantFrom('x', 'y', '__proto__'), fc.constantFrom(1, 2, null), {
    maxKeys: 2,
    noNullPrototype: false,
  });
  const lines = fc
    .tuple(
      fc.array(variables, { minLength: 4, maxLength: 4 }),
      fc.array(variables, { minLength: 2, maxLength: 2 }),
      fc.array(variables, { minLength: 4, maxLength: 4 }),
      fc.array(
        fc.record({
          region: fc.constantFrom(...REGIONS),
          cell: fc.constantFrom(null, ...CELLS),
          labels: fc.subarray(LABELS),
          variables,
        }),
        { maxLength: 12 },
      ),
    )
    .map(([labels, regions, cells, hosts]): Line[] => [
      ...LABELS.map((label, i) => ({ kind: 'label', label, variables: i < 2 ? (labels[i] ?? {}) : {} })),
      ...REGIONS.map((name, i) => ({ kind: 'region', name, variables: regions[i] ?? {} })),
      ...REGIONS.flatMap((region, i) =>
        CELLS.map((name, j) => ({ kind: 'cell', region, name, variables: cells[2 * i + j] ?? {} })),
      ),
      ...hosts.map((one, i) => ({ kind: 'host', name: `h${String(i)}`, ...one })),
    ]);

  const identity = ({ kind, name, region, label }: Line): string =>
    JSON.stringify([kind, label ?? name, kind === 'cell' ? region : null]);

  /** Applies the lines as the service does. */
  function apply(before: readonly Line[], changes: readonly Line[]): Line[] {
    const byIdentity = new Map(changes.map((one) => [identity(one), one]));
    return before.map((line) => {
      const change = byIdentity.get(identity(line));
      const own = new Map([...Object.entries(line.variables), ...Object.entries(change?.variables ?? {})]);
      for (const key of change?.unset_variables ?? []) own.delete(key);
      return { ...line, variables: Object.fromEntries(own) };
    });
  }

  /** What the devices resolve. Independent of the code under test. */
  function resolveAll(all: readonly Line[]): Map<string, Map<string, unknown>> {
    const own = new Map(all.map((line) => [identity(line), Object.entries(line.variables)]));
    const byCodePoint = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
    return new Map(
      all
        .filter(({ kind }) => kind === 'host')
        .map((line) => {
          const { region = '', cell, labels = [], variables: last } = line;
          const levels = [
            JSON.stringify(['region', region, null]),
            JSON.stringify(['cell', cell, region]),
            ...[...labels].sort(byCodePoint).map((label) => JSON.stringify(['label', label, null])),
          ];
          return [
            line.name ?? '',
            new Map([...levels.flatMap((level) => own.get(level) ?? []), ...Object.entries(last)]),
          ];
        }),
    );
  }

  const count = (all: readonly Line[]): number =>
    all.reduce((sum, line) => sum + Object.keys(line.variables).length, 0);

  it('resolves the same with fewer settings, and keeps those of regions and labels', () => {
    fc.assert(
      fc.property(lines, fc.boolean(), (before, keepsRegions) => {
        const hoisted = plan(before, { keepsRegions });
        const after = apply(before, bodies(hoisted));
        expect(resolveAll(after)).toEqual(resolveAll(before));
        const saved = hoisted.keys.map(
          ({ before: a, after: b }) => a.regions + a.cells + a.devices - b.regions - b.cells - b.devices,
        );
        expect(saved.every((one) => one > 0)).toBe(true);
        expect(count(before) - count(after)).toBe(saved.reduce((sum, one) => sum + one, 0));
        for (const [i, line] of before.entries())
          if (line.kind === 'region' || line.kind === 'label') {
            const now = new Map(Object.entries(after[i]?.variables ?? {}));
            expect([...now]).toEqual(expect.arrayContaining(Object.entries(line.variables)));
            if (keepsRegions || line.kind === 'label')
              expect(now.size).toBe(Object.keys(line.variables).length);
          }
        // Nothing is left to hoist.
        expect(plan(after, { keepsRegions }).lines).toEqual([]);
      }),
      { numRuns: 300, seed: seedOf('hoist') },
    );
  });
});
