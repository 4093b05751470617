import { Visibility } from '../../src/core/context/variable-keys';
import { ResolvedComparison, type DeviceStates } from '../../src/impact/resolved-comparison';
import type { Level, ResolutionTarget } from '../../src/variables/levels';

const level = (kind: Level['kind'], id: number, variables: object): Level => ({
  ...{ kind, id, name: `${kind}-${String(id)}` },
  variables: documentOf(variables),
});

/** As PostgreSQL prints it. */
const documentOf = (variables: object): string =>
  `{${Object.entries(variables)
    .map(([key, value]) => `"${key}": ${JSON.stringify(value)}`)
    .join(', ')}}`;

const target = (own: object, levels: Partial<ResolutionTarget> = {}): ResolutionTarget => ({
  ...{ project_id: 'p', own_variables: documentOf(own) },
  ...{ region_level: 1, cell_level: null, label_levels: null },
  ...levels,
});

const states = (before: ResolutionTarget | undefined, after: ResolutionTarget | undefined): DeviceStates => ({
  before,
  after,
});

const unchanged = (own: object, levels?: Partial<ResolutionTarget>): DeviceStates =>
  states(target(own, levels), target(own, levels));

const narrower = [level('cell', 2, { ntp: 'cell' }), level('label', 3, { dns: 'label' })];
const [inCell, labelled] = [{ cell_level: 2 }, { label_levels: '3' }];

const comparison = (
  before: object = { ntp: 'old', dns: 'old' },
  after: object = { ntp: 'new', dns: 'new' },
) =>
  new ResolvedComparison(
    [level('region', 1, before), ...narrower],
    [level('region', 1, after), ...narrower],
    Visibility.ALL,
  );

/** The changes that devices do not get, with the numbers of devices, in the order of their texts. */
const overridden = async (
  resolved: ResolvedComparison,
  devices: readonly DeviceStates[],
): Promise<unknown[]> =>
  [...((await resolved.overriddenChanges(devices, () => true)) ?? [])]
    .filter(([, number]) => number > 0)
    .map(([{ key, before, after }, number]) => {
      const [name, old, now] = [key, before, after].map((text) => JSON.parse(text ?? 'null') as unknown);
      return [{ key: name, before: old, after: now }, number];
    })
    .toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));

describe('the changes of levels that devices do not get', () => {
  it.each<[string, DeviceStates, readonly string[]]>([
    ['none, without narrower values', unchanged({ other: 1 }), []],
    ['what the cell sets', unchanged({}, inCell), ['ntp']],
    ['what a label sets', unchanged({}, labelled), ['dns']],
    ['what several levels set', unchanged({}, { ...inCell, ...labelled }), ['dns', 'ntp']],
    ['what the device sets', unchanged({ ntp: 'own', other: 1 }), ['ntp']],
    ['what the cell and the device set', unchanged({ ntp: 'own', dns: 'own' }, inCell), ['dns', 'ntp']],
    ['none that the device gets when it stops setting it', states(target({ ntp: 'own' }), target({})), []],
    ['none if the device sets another value', states(target({ ntp: 1 }), target({ ntp: 2 })), []],
    ['what the device begins to set to the old value', states(target({}), target({ ntp: 'old' })), ['ntp']],
    [
      'none in the cell if the device sets another value',
      states(target({}, inCell), target({ ntp: 1 }, inCell)),
      [],
    ],
    [
      'what the cell sets, if the device stops to set the same',
      states(target({ ntp: 'cell' }, inCell), target({}, inCell)),
      ['ntp'],
    ],
    ['none of a device that is created', states(undefined, target({ ntp: 'own' })), []],
    ['none of a device that is deleted', states(target({ ntp: 'own' }), undefined), []],
    [
      'none of a region that the device enters',
      states(target({}, { region_level: null }), target({ ntp: 1 })),
      [],
    ],
  ])('are %s', async (_, device, keys) => {
    // The other device has the same levels in most of the cases.
    const results = await overridden(comparison(), [device, unchanged({})]);
    expect(results).toEqual(keys.map((key) => [{ key, before: 'old', after: 'new' }, 1]));
  });

  it('are counted together for all devices with the same levels', async () => {
    const devices = [
      unchanged({}, inCell),
      ...Array.from({ length: 5 }, (_, i) => unchanged({ dns: i }, inCell)),
      unchanged({ ntp: 'own' }),
    ];
    const change = { before: 'old', after: 'new' };
    expect(await overridden(comparison(), devices)).toEqual([
      [{ key: 'dns', ...change }, 5],
      [{ key: 'ntp', ...change }, 7],
    ]);
  });

  it('are those of the narrowest level that changes, if several do', async () => {
    const before = [level('region', 1, { ntp: 1 }), level('cell', 2, { ntp: 2 })];
    const after = [level('region', 1, { ntp: 10 }), level('cell', 2, { ntp: 20 })];
    const resolved = new ResolvedComparison(before, after, Visibility.ALL);
    const devices = [unchanged({}, inCell), unchanged({ ntp: 'own' }, inCell), unchanged({ ntp: 'own' })];
    expect(await overridden(resolved, devices)).toEqual([
      [{ key: 'ntp', before: 1, after: 10 }, 1],
      [{ key: 'ntp', before: 2, after: 20 }, 1],
    ]);
  });

  it('have the value of a broader level if the level does not set the key', async () => {
    const [region, empty] = [level('region', 1, { ntp: 1 }), level('cell', 2, {})];
    const resolved = new ResolvedComparison(
      [region, empty],
      [region, level('cell', 2, { ntp: 2 })],
      Visibility.ALL,
    );
    const devices = [unchanged({ ntp: 'own' }, inCell), unchanged({}, inCell)];
    expect(await overridden(resolved, devices)).toEqual([[{ key: 'ntp', before: 1, after: 2 }, 1]]);
  });

  it('are not counted further when the time is over', async () => {
    expect(await comparison().overriddenChanges([unchanged({}, inCell)], () => false)).toBeUndefined();
  });

  it('are looked for in the documents of devices only if a level changes', async () => {
    let reads = 0;
    const own = {
      get own_variables() {
        reads++;
        return documentOf({ ntp: 'own' });
      },
    };
    const device = Object.defineProperties(target({}), Object.getOwnPropertyDescriptors(own));
    const same = { ntp: 'same' };
    expect(await overridden(comparison(same, same), [states(device, device)])).toEqual([]);
    expect(reads).toBe(0);
    expect(await overridden(comparison(), [states(device, device)])).toHaveLength(1);
    expect(reads).toBeGreaterThan(0);
  });
});
