import fc from '../support/property-testing';
import {
  countSettings,
  findFewestSettings,
  type DeviceValue,
  type SettingsProblem,
  type LevelSetting,
  type SettingsByLevel,
  type Setting,
} from '../../client/src/hoist/fewest-settings';
import {
  findFewestSettingsWithLabels,
  type LabelledDeviceValue,
} from '../../client/src/commands/import/netbox/variable-levels';

/** A device in a cell like `r1/c1`, or directly in a region like `r1`. */
const device = (id: string, location: string, value?: string, fromLabels?: string): DeviceValue => {
  const [region = ''] = location.split('/');
  return { id, region, cell: location === region ? undefined : location, value, fromLabels };
};

const devices = (location: string, ...values: (string | undefined)[]): DeviceValue[] =>
  values.map((value, i) => device(`${location}/${String(i)}`, location, value));

const settingsOf = ({ regions, cells, devices }: SettingsByLevel): object => ({
  ...Object.fromEntries([...regions, ...cells, ...devices]),
});

describe('findFewestSettings', () => {
  it('sets a value that a region shares on the region, and exceptions below it', () => {
    const all = [
      ...devices('r1/c1', 'a', 'a', 'b'),
      ...devices('r1/c2', 'c', 'c'),
      ...devices('r1', 'a', 'a'),
      ...devices('r2', 'a', 'd'),
    ];
    expect(settingsOf(findFewestSettings({ devices: all }))).toEqual({
      r1: 'a',
      'r1/c1/2': 'b',
      'r1/c2': 'c',
      'r2/0': 'a',
      'r2/1': 'd',
    });
  });

  it('sets nothing above a device without the variable', () => {
    const all = [...devices('r1/c1', 'a', 'a', undefined), ...devices('r1/c2', 'a', 'a')];
    expect(settingsOf(findFewestSettings({ devices: all }))).toEqual({
      'r1/c1/0': 'a',
      'r1/c1/1': 'a',
      'r1/c2': 'a',
    });
  });

  it('chooses the narrower level among equals, or the preferred one', () => {
    const all = devices('r1/c1', 'a', 'a');
    const fewestWith = (...preferred: Setting['level'][]) =>
      settingsOf(findFewestSettings({ devices: all, isPreferred: ({ level }) => preferred.includes(level) }));
    expect(settingsOf(findFewestSettings({ devices: all }))).toEqual({ 'r1/c1': 'a' });
    expect(fewestWith('region')).toEqual({ r1: 'a' });
    expect(fewestWith('cell')).toEqual({ 'r1/c1': 'a' });
    expect(settingsOf(findFewestSettings({ devices: devices('r1/c1', 'a') }))).toEqual({ 'r1/c1/0': 'a' });
  });

  it('leaves devices alone whose labels set the variable', () => {
    const all = [...devices('r1', 'a', 'a'), device('same', 'r1', 'b', 'b'), device('other', 'r1', 'a', 'b')];
    expect(settingsOf(findFewestSettings({ devices: all }))).toEqual({ r1: 'a', other: 'a' });
  });

  it('keeps existing settings of regions and cells, except for cells that inherit the same', () => {
    const existing: LevelSetting[] = [
      { level: 'region', id: 'r1', value: 'a' },
      { level: 'cell', id: 'r1/c1', region: 'r1', value: 'a' },
      { level: 'cell', id: 'r1/empty', region: 'r1', value: 'b' },
      { level: 'region', id: 'r2', value: 'a' },
    ];
    const all = [...devices('r1/c1', 'a'), ...devices('r2', 'b', 'b', 'b')];
    expect(settingsOf(findFewestSettings({ devices: all, existing }))).toEqual({
      r1: 'a',
      'r1/empty': 'b',
      r2: 'a',
      'r2/0': 'b',
      'r2/1': 'b',
      'r2/2': 'b',
    });
  });

  it('makes a setting on a level only if it saves enough settings and enough devices share it', () => {
    const all = devices('r1', 'a', 'a', 'a', 'b', 'c', 'd', 'e');
    expect(findFewestSettings({ devices: all, minSaving: 2 }).regions.get('r1')).toBe('a');
    expect(findFewestSettings({ devices: all, minSaving: 3 }).regions.size).toBe(0);
    expect(findFewestSettings({ devices: all, minShare: 0.4 }).regions.get('r1')).toBe('a');
    expect(findFewestSettings({ devices: all, minShare: 0.5 }).regions.size).toBe(0);
  });

  it('rejects a device that cannot be without the variable', () => {
    expect(() => findFewestSettings({ devices: [device('d', 'r1', undefined, 'a')] })).toThrow(TypeError);
    const existing: LevelSetting[] = [{ level: 'region', id: 'r1', value: 'a' }];
    expect(() => findFewestSettings({ devices: devices('r1/c1', undefined), existing })).toThrow(TypeError);
    const ofCell: LevelSetting[] = [{ level: 'cell', id: 'r1/c1', region: 'r1', value: 'a' }];
    expect(() => findFewestSettings({ devices: devices('r1/c1', undefined), existing: ofCell })).toThrow(
      TypeError,
    );
  });

  it('finds the settings of a variable of a large fleet', () => {
    const fleet = (size: number) =>
      Array.from({ length: size }, (_, i) =>
        device(String(i), `r${String(i % 7)}/c${String(i % 91)}`, String(i % 3 === 0 ? i : i % 7)),
      );
    const settings = findFewestSettings({ devices: fleet(100_000) });
    expect(settings.regions.size).toBe(7);
    expect(countSettings(settings)).toBeLessThan(34_000);
  });
});

const REGIONS = ['r1', 'r2'];
const LOCATIONS = ['r1', 'r1/c1', 'r1/c2', 'r2', 'r2/c1'];
const CELLS = LOCATIONS.filter((location) => location.includes('/'));
const VALUES = ['a', 'b', 'c'];

/** What a device resolves. Independent of the code under test. */
const resolve = (
  settings: SettingsByLevel,
  { id, region, cell, fromLabels }: DeviceValue,
): string | undefined =>
  settings.devices.get(id) ?? fromLabels ?? settings.cells.get(cell ?? '') ?? settings.regions.get(region);

/**
 * Every combination of settings on regions and cells, with the settings on devices that it requires. Regions and cells
 * without devices and existing settings are left out, and so are values that nothing has: settings there save nothing.
 */
function* allSettings(
  all: readonly DeviceValue[],
  existing: ReadonlyMap<string, string> = new Map(),
): Generator<SettingsByLevel> {
  const open = all.filter(({ fromLabels }) => fromLabels === undefined);
  const choices = [...new Set([undefined, ...open.map(({ value }) => value), ...existing.values()])];
  const used = [
    ...open.flatMap(({ region, cell }) => [region, cell]),
    ...[...existing.keys()].flatMap((id) => [id, id.split('/')[0]]),
  ];
  const levels = [...REGIONS, ...CELLS].filter((level) => used.includes(level));
  for (let n = 0; n < choices.length ** levels.length; n++) {
    const chosen = new Map<string, string>();
    levels.forEach((level, i) => {
      const value = choices[Math.floor(n / choices.length ** i) % choices.length];
      if (value !== undefined) chosen.set(level, value);
    });
    const devices = new Map<string, string>();
    const isPossible = all.every(({ id, region, cell, value, fromLabels }) => {
      const inherited = fromLabels ?? chosen.get(cell ?? '') ?? chosen.get(region);
      if (value !== undefined && inherited !== value) devices.set(id, value);
      return value !== undefined || inherited === undefined;
    });
    if (!isPossible) continue;
    const levelsOf = (ids: readonly string[]) => new Map([...chosen].filter(([id]) => ids.includes(id)));
    yield { regions: levelsOf(REGIONS), cells: levelsOf(CELLS), devices };
  }
}

const toSettings = ({ regions, cells, devices }: SettingsByLevel): Setting[] => [
  ...[...regions].map(([id, value]) => ({ level: 'region' as const, id, value })),
  ...[...cells].map(([id, value]) => ({ level: 'cell' as const, id, value })),
  ...[...devices].map(([id, value]) => ({ level: 'device' as const, id, value })),
];

const arbitraryDevices = (optional: boolean) =>
  fc
    .array(
      fc.record({
        location: fc.constantFrom(...LOCATIONS),
        value: fc.constantFrom(...VALUES, ...(optional ? [undefined] : [])),
        fromLabels: fc.constantFrom(undefined, undefined, undefined, ...VALUES),
      }),
      { maxLength: 7 },
    )
    .map((all) =>
      all.map(({ location, value, fromLabels }, i) =>
        device(String(i), location, value, value === undefined ? undefined : fromLabels),
      ),
    );

const RUNS = { numRuns: 150 };

describe('findFewestSettings, compared to all possible settings,', () => {
  it('resolves exactly, with the fewest settings, of which the most are preferred', () => {
    fc.assert(
      fc.property(
        arbitraryDevices(true),
        fc.array(fc.tuple(fc.constantFrom('region', 'cell', 'device'), fc.constantFrom(...VALUES))),
        (all, preferred) => {
          const isPreferred = ({ level, value }: Setting) =>
            preferred.some(([otherLevel, otherValue]) => level === otherLevel && value === otherValue);
          const countOthers = (settings: SettingsByLevel) =>
            toSettings(settings).filter((setting) => !isPreferred(setting)).length;
          const settings = findFewestSettings({ devices: all, isPreferred });
          expect(all.map((one) => resolve(settings, one))).toEqual(all.map(({ value }) => value));
          const possible = [...allSettings(all)];
          const fewest = Math.min(...possible.map(countSettings));
          expect(countSettings(settings)).toBe(fewest);
          const best = possible.filter((one) => countSettings(one) === fewest).map(countOthers);
          expect(countOthers(settings)).toBe(Math.min(...best));
        },
      ),
      RUNS,
    );
  });

  it('has the fewest settings of those that keep existing ones, and what devices inherit from them', () => {
    const level = fc.constantFrom(undefined, ...VALUES);
    const arbitrary = fc.array(
      fc.record({
        location: fc.constantFrom(...LOCATIONS),
        own: level,
        fromLabels: fc.constantFrom(undefined, 'a'),
      }),
      { maxLength: 7 },
    );
    const levels = [...REGIONS, ...CELLS];
    const arbitraryLevels = fc.array(level, { minLength: levels.length, maxLength: levels.length });
    fc.assert(
      fc.property(arbitrary, arbitraryLevels, fc.boolean(), (given, values, keepsRegions) => {
        const set = new Map(
          levels.flatMap((id, i): [string, string][] => (values[i] ? [[id, values[i]]] : [])),
        );
        const existing = [...set].map(([id, value]): LevelSetting => {
          const [region = ''] = id.split('/');
          return region === id ? { level: 'region', id, value } : { level: 'cell', id, region, value };
        });
        const all = given.map(({ location, own, fromLabels }, i) => {
          const inherited = set.get(location) ?? set.get(location.split('/')[0] ?? '');
          const inherits = own === undefined && fromLabels === undefined && inherited !== undefined;
          return { ...device(String(i), location, own ?? fromLabels ?? inherited, fromLabels), inherits };
        });
        const keeps = ({ regions, cells, devices: own }: SettingsByLevel) =>
          existing.every((setting) =>
            setting.level === 'region'
              ? regions.get(setting.id) === setting.value
              : (cells.get(setting.id) ?? regions.get(setting.region)) === setting.value,
          ) &&
          all.every(({ id, inherits }) => !inherits || !own.has(id)) &&
          [...regions.keys()].every((id) => !keepsRegions || set.has(id));
        const settings = findFewestSettings({ devices: all, existing, keepsRegions });
        expect(all.map((one) => resolve(settings, one))).toEqual(all.map(({ value }) => value));
        expect(keeps(settings)).toBe(true);
        const possible = [...allSettings(all, set)].filter(keeps);
        expect(countSettings(settings)).toBe(Math.min(...possible.map(countSettings)));
      }),
      RUNS,
    );
  });
});

describe('findFewestSettingsWithLabels', () => {
  const labelled = (one: DeviceValue, ...labels: string[]): LabelledDeviceValue => ({ ...one, labels });
  const fewest = (all: LabelledDeviceValue[], options: Partial<SettingsProblem> = {}) => {
    const settings = findFewestSettingsWithLabels({ ...options, devices: all });
    return { ...settingsOf(settings), ...Object.fromEntries(settings.labels) };
  };

  it('sets a value on the label that has exactly its devices', () => {
    const all = ['r1/c1', 'r1/c2', 'r2'].flatMap((where) => [
      labelled(device(`${where}/web`, where, 'w'), 'role:web', 'all'),
      labelled(device(`${where}/db`, where, 'd'), 'role:db', 'all'),
      labelled(device(`${where}/other`, where, 'o'), 'all'),
    ]);
    expect(fewest(all)).toEqual({ 'role:web': 'w', 'role:db': 'd', r1: 'o', 'r2/other': 'o' });
  });

  it('does not use labels where the tree needs no more settings', () => {
    const all = devices('r1', 'a', 'a', 'a').map((one) => labelled(one, 'all'));
    expect(fewest(all)).toEqual({ r1: 'a' });
  });

  it('does not use labels that some devices with the value lack, or devices with another value have', () => {
    const lacking = [labelled(device('1', 'r1', 'a'), 'l'), labelled(device('2', 'r2', 'a'))];
    expect(fewest(lacking)).toEqual({ '1': 'a', '2': 'a' });
    const mixed = [labelled(device('1', 'r1', 'a'), 'l'), labelled(device('2', 'r2', 'b'), 'l')];
    expect(fewest(mixed)).toEqual({ '1': 'a', '2': 'b' });
    const unset = [...['1', '2'].map((id) => labelled(device(id, `r${id}`, 'a'), 'l'))];
    expect(fewest([...unset, labelled(device('3', 'r1'), 'l')])).toEqual({ '1': 'a', '2': 'a' });
  });

  it('resolves exactly, with no more settings than without labels', () => {
    const names = fc.subarray(['l1', 'l2', 'l3', 'l4']);
    const labelsOf = fc.array(names, { minLength: 7, maxLength: 7 });
    fc.assert(
      fc.property(arbitraryDevices(true), labelsOf, (all, labels) => {
        const given = all.map((one, i) => labelled(one, ...(labels[i] ?? [])));
        const settings = findFewestSettingsWithLabels({ devices: given });
        const resolved = given.map((one) => {
          const last = [...one.labels].reverse().find((name) => settings.labels.has(name));
          return resolve(settings, { ...one, fromLabels: one.fromLabels ?? settings.labels.get(last ?? '') });
        });
        expect(resolved).toEqual(given.map(({ value }) => value));
        const withoutLabels = countSettings(findFewestSettings({ devices: all }));
        expect(countSettings(settings) + settings.labels.size).toBeLessThanOrEqual(withoutLabels);
      }),
      { numRuns: 500 },
    );
  });
});
