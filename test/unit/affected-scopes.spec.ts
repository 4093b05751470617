import type { Sql } from '../../src/database/sql';
import { findAffectedScopes, type OverridableKey } from '../../src/impact/affected-scopes';
import type { UpdatedLevel } from '../../src/impact/changed-levels';
import type { ChangedKey, SettingLevel } from '../../src/impact/setting-levels';
import { byKind, type LevelKind } from '../../src/variables/key-levels';

/** SQL in one line, with its parameters in place. */
const textOf = (statement: Sql): string =>
  statement.text
    .replaceAll(/\$(\d+)/g, (_, n) => JSON.stringify(statement.values[Number(n) - 1]))
    .replaceAll(/\s+/g, ' ')
    .trim();

/** A level: its kind, its id, and for a cell the id of its region. The name of a label is its id by default. */
interface Named {
  readonly kind: LevelKind;
  readonly id: number;
  readonly region?: number;
  /** The name of a label after the change, and before it. */
  readonly name?: string;
  readonly formerName?: string;
}

const region = (id: number): Named => ({ kind: 'region', id });
const cell = (id: number, region: number): Named => ({ kind: 'cell', id, region });
const label = (id: number, name: string, formerName = name): Named => ({
  kind: 'label',
  id,
  name,
  formerName,
});

const row = ({ kind, id, region, name = '' }: Named) => ({
  ...{ kind, id, name },
  project_id: 'p',
  region_id: region ?? null,
});

/** A level that the change updates. @param keys the keys whose value changed */
const updated = (named: Named, ...keys: string[]): UpdatedLevel => ({
  ...row(named),
  keys: keys.map((key) => JSON.stringify(key)),
  value: new Map(),
  before: { kind: named.kind, name: named.formerName ?? '', value: new Map() },
});

/** A level that sets a key, with its values before and after the change. */
const setting = (named: Named, before: string | undefined, value = before): SettingLevel => ({
  ...row(named),
  value,
  before: { kind: named.kind, name: named.formerName ?? '', value: before },
});

/** A level that sets a key before the change and not after it. */
const unset = (named: Named, before: string): SettingLevel => ({
  ...setting(named, before),
  value: undefined,
});

const changedKey = (key: string, levels: readonly SettingLevel[], own: string[] = []): ChangedKey => ({
  key,
  jsonKey: JSON.stringify(key),
  ...byKind(levels),
  own,
});

/** A key of a scope, without its values. */
type KeyOfScope = Omit<OverridableKey, 'before' | 'after'>;

/** A key that nothing overrides, except for what is given. */
const key = (name: string, overriding: Partial<KeyOfScope> = {}): KeyOfScope => ({
  key: name,
  ownKinds: [],
  overridingLabels: [],
  overridingCells: [],
  ...overriding,
});

const DEVICES = 'SELECT d.id FROM devices d WHERE d.project_id = "p" AND';
const LABELLED = 'a.device_id AS id FROM device_labels a WHERE a.project_id = "p" AND a.label_id = ANY';
const hasNoneOf = (labels: string): string =>
  `NOT EXISTS (SELECT FROM device_labels a WHERE a.project_id = d.project_id AND a.device_id = d.id AND a.label_id = ANY(${labels}::bigint[]))`;
const inCell = (id: number): string => `d.cell_id = ${String(id)}`;

/** The scopes as text. */
function scopesOf(levels: readonly UpdatedLevel[], keys: readonly ChangedKey[], touched: number[] = []) {
  const { scopes, labelled } = findAffectedScopes({ projectId: 'p', levels, keys, touched });
  return {
    scopes: scopes.map(({ devices, keys: ofScope }) => [
      textOf(devices),
      ofScope.map(({ key: name, ownKinds, overridingLabels, overridingCells }) => ({
        key: name,
        ownKinds,
        overridingLabels,
        overridingCells,
      })),
    ]),
    labelled: labelled && [textOf(labelled.devices), labelled.keys.map((one) => one.key)],
  };
}

const [r1, r2] = [region(1), region(2)];
const [c10, c11, c20] = [cell(10, 1), cell(11, 1), cell(20, 2)];
const [la, lb, lc] = [label(100, 'a'), label(101, 'b'), label(102, 'c')];

describe('a change of regions and cells', () => {
  it.each<[string, UpdatedLevel[], ChangedKey[], (readonly [string, readonly KeyOfScope[]])[], number[]?]>([
    ['nothing', [], [], []],
    [
      'the devices of a region',
      [updated(r1, 'k')],
      [changedKey('k', [setting(r1, '1', '2')])],
      [[`${DEVICES} d.region_id = 1 AND true AND true AND true`, [key('k')]]],
    ],
    [
      'only the devices that the change does not touch',
      [updated(r1, 'k')],
      [changedKey('k', [setting(r1, '1', '2')])],
      [[`${DEVICES} d.region_id = 1 AND true AND true AND d.id <> ALL([7,8]::bigint[])`, [key('k')]]],
      [7, 8],
    ],
    [
      'those that no narrower level overrides: cells of the region, all labels, own values',
      [updated(r1, 'k')],
      [
        changedKey(
          'k',
          [setting(r1, '1', '2'), setting(c10, '3'), setting(c20, '3'), setting(la, '4')],
          ['host'],
        ),
      ],
      [
        [
          `${DEVICES} d.region_id = 1 AND true AND true AND true`,
          [key('k', { ownKinds: ['host'], overridingCells: [10], overridingLabels: [100] })],
        ],
      ],
    ],
    [
      'several keys, each with what overrides it',
      [updated(r1, 'k', 'm')],
      [
        changedKey('k', [setting(r1, '1', '2'), setting(c10, '3')]),
        changedKey('m', [unset(r1, '1'), setting(la, '3')]),
        changedKey('other', [setting(r1, '1')]),
      ],
      [
        [
          `${DEVICES} d.region_id = 1 AND true AND true AND true`,
          [key('k', { overridingCells: [10] }), key('m', { overridingLabels: [100] })],
        ],
      ],
    ],
    [
      'two regions, each with its own keys',
      [updated(r1, 'k'), updated(r2, 'm')],
      [changedKey('k', [setting(r1, '1', '2')]), changedKey('m', [setting(r2, '1', '2')])],
      [
        [`${DEVICES} d.region_id = 1 AND true AND true AND true`, [key('k')]],
        [`${DEVICES} d.region_id = 2 AND true AND true AND true`, [key('m')]],
      ],
    ],
    [
      'the devices of a cell, overridden by labels alone',
      [updated(c10, 'k')],
      [changedKey('k', [setting(r1, '3'), setting(c10, '1', '2'), setting(c11, '3'), setting(la, '4')])],
      [[`${DEVICES} ${inCell(10)} AND true AND true`, [key('k', { overridingLabels: [100] })]]],
    ],
    [
      'no device if a cell takes the value of its region',
      [updated(c10, 'k')],
      [changedKey('k', [setting(r1, '1'), unset(c10, '1')])],
      [],
    ],
    [
      'the devices of a cell that no longer overrides the region',
      [updated(c10, 'k')],
      [changedKey('k', [setting(r1, '1'), unset(c10, '2')])],
      [[`${DEVICES} ${inCell(10)} AND true AND true`, [key('k')]]],
    ],
    [
      'a region without its updated cell, and the cell apart',
      [updated(r1, 'k'), updated(c10, 'm'), updated(c20, 'm')],
      [
        changedKey('k', [setting(r1, '1', '2')]),
        changedKey('m', [setting(c10, '1', '2'), setting(c20, '1', '2')]),
      ],
      [
        [
          `${DEVICES} d.region_id = 1 AND (d.cell_id IS NULL OR d.cell_id <> ALL([10]::bigint[])) AND true AND true`,
          [key('k')],
        ],
        // The cell inherits the region's value.
        [`${DEVICES} ${inCell(10)} AND true AND true`, [key('k'), key('m')]],
        [`${DEVICES} ${inCell(20)} AND true AND true`, [key('m')]],
      ],
    ],
    [
      'no device of a cell that takes over the former value of its region',
      [updated(r1, 'k'), updated(c10, 'k')],
      [changedKey('k', [setting(r1, '1', '2'), setting(c10, undefined, '1')])],
      [
        [
          `${DEVICES} d.region_id = 1 AND (d.cell_id IS NULL OR d.cell_id <> ALL([10]::bigint[])) AND true AND true`,
          [key('k')],
        ],
      ],
    ],
  ])('affects %s', (_, levels, keys, scopes, touched = []) => {
    expect(scopesOf(levels, keys, touched)).toEqual({ scopes, labelled: undefined });
  });
});

describe('a change of one label', () => {
  const whole = (keys: readonly KeyOfScope[]) => ({
    scopes: [[`SELECT ${LABELLED}([100]::bigint[]) AND true`, keys]],
    labelled: undefined,
  });
  const oneByOne = (...keys: string[]) => ({
    scopes: [],
    labelled: [`SELECT ${LABELLED}([100]::bigint[]) AND true`, keys],
  });

  it.each<[string, SettingLevel[], Partial<OverridableKey>]>([
    ['that alone sets the key', [setting(la, '1', '2')], {}],
    ['that later labels override', [setting(la, '1', '2'), setting(lb, '1')], { overridingLabels: [101] }],
    ['over broader levels', [setting(r1, '3'), setting(c10, '3'), setting(la, '1', '2')], {}],
    ['that no longer sets the key, over another value', [setting(r1, '3'), unset(la, '1')], {}],
    ['that newly sets the key, over another value', [setting(c10, '3'), setting(la, undefined, '1')], {}],
    [
      'that newly sets the key, with the value of a narrower label',
      [setting(la, undefined, '1'), setting(lb, '1')],
      { overridingLabels: [101] },
    ],
  ])('%s affects all of its devices in one way', (_, levels, overriding) => {
    const keys = [changedKey('k', levels)];
    expect(scopesOf([updated(la, 'k')], keys)).toEqual(whole([key('k', overriding)]));
  });

  it('excludes the devices that the change touches', () => {
    const { scopes } = scopesOf([updated(la, 'k')], [changedKey('k', [setting(la, '1', '2')])], [7]);
    expect(scopes).toEqual([
      [`SELECT ${LABELLED}([100]::bigint[]) AND a.device_id <> ALL([7]::bigint[])`, [key('k')]],
    ]);
  });

  it.each<[string, SettingLevel[]]>([
    ['that no longer sets the key, over a region with the same value', [setting(r1, '1'), unset(la, '1')]],
    ['that newly sets the value that a cell has', [setting(c10, '1'), setting(la, undefined, '1')]],
    [
      'that newly sets the value that an earlier label has',
      [setting(label(99, 'A'), '1'), setting(la, undefined, '1')],
    ],
  ])('%s is resolved device by device', (_, levels) => {
    expect(scopesOf([updated(la, 'k')], [changedKey('k', levels)])).toEqual(oneByOne('k'));
  });

  it.each<[string, Named, SettingLevel[], boolean]>([
    ['past another label that sets its key', label(100, 'z', 'a'), [setting(lb, '2')], true],
    ['before another label that sets its key', label(100, 'A', 'c'), [setting(lb, '2')], true],
    ['without passing a label', label(100, 'aa', 'a'), [setting(lb, '2')], false],
    ['where no other label sets its key', label(100, 'z', 'a'), [setting(r1, '2')], false],
  ])('that is renamed %s', (_, renamed, others, isAffecting) => {
    const keys = [changedKey('k', [...others, setting(renamed, '1')])];
    const none = { scopes: [], labelled: undefined };
    expect(scopesOf([updated(renamed)], keys)).toEqual(isAffecting ? oneByOne('k') : none);
  });
});

describe('a change of several levels with labels', () => {
  it('resolves the devices with a changed label one by one, for all keys that change', () => {
    const keys = [
      changedKey('k', [setting(la, '1', '2')]),
      changedKey('m', [setting(lb, '1', '2')]),
      changedKey('other', [setting(lc, '1')]),
    ];
    expect(scopesOf([updated(la, 'k'), updated(lb, 'm')], keys, [7])).toEqual({
      scopes: [],
      labelled: [
        `SELECT DISTINCT ${LABELLED}([100,101]::bigint[]) AND a.device_id <> ALL([7]::bigint[])`,
        ['k', 'm'],
      ],
    });
  });

  it('excludes them from the regions and cells', () => {
    const keys = [
      changedKey('k', [setting(r1, '1', '2'), setting(la, '1', '2')]),
      changedKey('m', [setting(c20, '1', '2')]),
    ];
    expect(scopesOf([updated(r1, 'k'), updated(c20, 'm'), updated(la, 'k')], keys)).toEqual({
      scopes: [
        [
          `${DEVICES} d.region_id = 1 AND true AND ${hasNoneOf('[100]')} AND true`,
          [key('k', { overridingLabels: [100] })],
        ],
        [`${DEVICES} ${inCell(20)} AND ${hasNoneOf('[100]')} AND true`, [key('m')]],
      ],
      labelled: [`SELECT ${LABELLED}([100]::bigint[]) AND true`, ['k', 'm']],
    });
  });

  it('ignores a label whose new name changes no order', () => {
    const renamed = label(100, 'aa', 'a');
    const keys = [changedKey('k', [setting(r1, '1', '2'), setting(renamed, '3')])];
    expect(scopesOf([updated(r1, 'k'), updated(renamed)], keys)).toEqual({
      scopes: [
        [`${DEVICES} d.region_id = 1 AND true AND true AND true`, [key('k', { overridingLabels: [100] })]],
      ],
      labelled: undefined,
    });
  });
});
