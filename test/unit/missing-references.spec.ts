import { missingOf } from '../../src/bulk/import/line-faults';
import { missingReference, type ReferencedLine } from '../../src/bulk/import/missing-references';
import { importLine } from '../support/import-line';

/** Line 9, which names a resource. */
const line9 = (state: { isFaulty?: true; isCreated?: true } = {}): ReferencedLine => ({
  ...{ number: 9, isFaulty: false, isCreated: false },
  ...state,
});

interface Others {
  /** The lines that name the resources of members. */
  readonly lines?: Readonly<Record<string, ReferencedLine>>;
  /** The members whose resources may be described by a line of which it is not known what it describes. */
  readonly unidentified?: readonly string[];
}

/** The message, and the regions and cells to create. */
function faultOf(
  body: Readonly<Record<string, unknown>>,
  member: string,
  { lines = {}, unidentified = [] }: Others = {},
) {
  const error = missingReference(importLine({ name: 'h', ...body }), member, String(body[member]), {
    findLine: (of) => lines[of],
    hasUnidentifiedLines: (of) => unidentified.includes(of),
  });
  expect(error.code).toBe('validation_exception');
  return [error.message, missingOf(error)];
}

const region = { kind: 'region', name: 'r' };
const cell = { kind: 'cell', region: 'r', name: 'c' };
const located = { region: 'r', cell: 'c' };
const NO_REGION = 'region: there is no region "r" in this project';
const NO_CELL = 'cell: there is no cell "c" in the region "r"';
const NO_PARENT = 'parent: there is no device "p" in this project';

describe('a line that references what does not exist', () => {
  it.each<[string, object, string, string, object[]]>([
    ['a region', { region: 'r' }, 'region', NO_REGION, [region]],
    ['a region, and so its cell', located, 'region', NO_REGION, [region, cell]],
    ['a region without a cell', { region: 'r', cell: null }, 'region', NO_REGION, [region]],
    ['a cell', located, 'cell', NO_CELL, [cell]],
    [
      'a cell in the region of the device',
      { cell: 'c' },
      'cell',
      NO_CELL.replace('"r"', 'of the device'),
      [],
    ],
    ['a parent', { region: 'r', parent: 'p' }, 'parent', NO_PARENT, []],
    ['a cloud', { kind: 'region', cloud: 'k' }, 'cloud', 'cloud: there is no cloud "k" in this project', []],
    [
      'a name with quotes',
      { cloud: '"' },
      'cloud',
      String.raw`cloud: there is no cloud "\"" in this project`,
      [],
    ],
  ])('names %s', (_, body, member, message, missing) => {
    expect(faultOf({ ...body }, member)).toEqual([message, missing]);
  });

  it('names its own parent as such', () => {
    expect(faultOf({ parent: 'h' }, 'parent')).toEqual(['parent: a device cannot be its own parent', []]);
  });

  it.each<[string, object, string]>([
    ['region', { region: 'r' }, 'region: the region "r" of line 9'],
    ['cell', located, 'cell: the cell "c" of line 9'],
    ['parent', { parent: 'p' }, 'parent: the device "p" of line 9'],
    ['cloud', { kind: 'region', cloud: 'k' }, 'cloud: the cloud "k" of line 9'],
  ])('names the faulty line of its %s', (member, body, message) => {
    const lines = { [member]: line9({ isFaulty: true }) };
    expect(faultOf({ ...body }, member, { lines })).toEqual([`${message} was not imported either`, []]);
  });

  it('names the line of a parent that is a descendant, which is written later', () => {
    expect(faultOf({ parent: 'p' }, 'parent', { lines: { parent: line9() } })).toEqual([
      'parent: the device "p" of line 9 is a descendant of this device',
      [],
    ]);
  });

  it('names the region of a cell, too, if another line creates it, which is rolled back', () => {
    const lines = { region: line9({ isCreated: true }) };
    expect(faultOf(located, 'cell', { lines })).toEqual([NO_CELL, [region, cell]]);
    expect(faultOf(located, 'cell', { lines: { region: line9() } })).toEqual([NO_CELL, [cell]]);
  });

  it.each<[string, object, string, string, object[]]>([
    ['region', { region: 'r' }, 'region', `${NO_REGION}, or its line is invalid`, []],
    ['cell', located, 'cell', `${NO_CELL}, or its line is invalid`, []],
    ['parent', { parent: 'p' }, 'parent', `${NO_PARENT}, or its line is invalid`, []],
    // Only the cell can be the one of the other line.
    ['region', located, 'cell', NO_REGION, [region]],
    ['region', located, 'parent', NO_REGION, [region, cell]],
  ])(
    'does not offer to create what another line may create: its %s, of %j, if it may be its %s',
    (member, body, unidentified, message, missing) => {
      expect(faultOf({ ...body }, member, { unidentified: [unidentified] })).toEqual([message, missing]);
    },
  );
});
