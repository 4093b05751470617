import fc from './property-testing';
import type { Fleet, FleetDevice, VariablesOf } from './fleet';

/** Few keys and values, so that levels override each other and filters match. */
const keys = fc.constantFrom('a', 'b', 'c', 'x-y', '__proto__');

const scalars = fc.constantFrom<unknown>(1, 2, 1.5, '1', 'one', '', true, false, null);

const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    { weight: 3, arbitrary: scalars },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
    { weight: 2, arbitrary: fc.dictionary(fc.constantFrom('p', 'q', 'x-y'), tie('value'), { maxKeys: 2 }) },
  ),
}));

/** In UTF-16 order, the last two are swapped. */
const LABELS = ['10', '9', 'A', 'a', 'a@site', 'role:x', 'role:x@site', 'é', '\uff5e', '\u{1f600}'];
const REGIONS = ['north', 'south'];
const CELLS = ['rack-1', 'rack-2'];

/** Random small inventories with variables of these values. */
export function fleetsWith(values: fc.Arbitrary<unknown>): fc.Arbitrary<Fleet> {
  const variables: fc.Arbitrary<VariablesOf> = fc
    .uniqueArray(fc.tuple(keys, values), { maxLength: 3, selector: ([key]) => key })
    .map((members) => Object.fromEntries(members));
  const devices = (prefix: string, max: number): fc.Arbitrary<readonly FleetDevice[]> =>
    fc
      .array(
        fc.record({
          region: fc.constantFrom(...REGIONS),
          cell: fc.option(fc.constantFrom(...CELLS)),
          labels: fc.subarray(LABELS, { maxLength: 4 }),
          variables: fc.oneof({ weight: 1, arbitrary: fc.constant({}) }, { weight: 2, arbitrary: variables }),
          device_type: fc.constantFrom('server', 'switch'),
          active: fc.boolean(),
        }),
        { minLength: max / 2, maxLength: max },
      )
      .map((made) => made.map((device, i) => ({ ...device, name: `${prefix}-${String(i)}` })));
  return fc.record({
    regions: fc.tuple(...REGIONS.map((name) => variables.map((own) => ({ name, variables: own })))),
    cells: fc.tuple(
      ...REGIONS.flatMap((region) =>
        CELLS.map((name) => variables.map((own) => ({ region, name, variables: own }))),
      ),
    ),
    labels: fc.tuple(...LABELS.map((label) => variables.map((own) => ({ label, variables: own })))),
    hosts: devices('host', 24),
    'network-devices': devices('switch', 8),
  });
}

/** Random small inventories. */
export const fleets: fc.Arbitrary<Fleet> = fleetsWith(values);

/** More than the first scan of a filtered list reads in addition to a page: see `INITIAL_SCAN_ROWS`. */
export const BARE_HOSTS = 600;

/** Hosts in a region without variables, and without any of their own. By name, they are before all others. */
const bareHosts: readonly FleetDevice[] = Array.from({ length: BARE_HOSTS }, (_, i) => ({
  name: `bare-${String(i)}`,
  region: 'bare',
  cell: null,
  labels: [],
  variables: {},
  active: true,
}));

/**
 * Makes the lists of an inventory so long that their first scan does not reach all matches.
 * @param at the number of hosts that are before those without variables
 */
export const withBareHosts = (fleet: Fleet, at: number): Fleet => ({
  ...fleet,
  regions: [...fleet.regions, { name: 'bare', variables: {} }],
  hosts: fleet.hosts.toSpliced(at, 0, ...bareHosts),
});
