import { missingOf } from '../../src/bulk/import/line-faults';
import { deviceIdentity, identityOf } from '../../src/bulk/import/line-check';
import { type LineGroup, lineGroups } from '../../src/bulk/import/line-kinds';
import { missingReference, referencedIdentity } from '../../src/bulk/import/missing-references';
import { importLine } from '../support/import-line';

const { clouds, regions, cells, devices } = lineGroups;

/** Another line of the import, which names a resource. */
const other = (identity: string, state: { isFaulty?: true; isCreated?: true } = {}) => ({
  identity,
  line: { number: 9, isFaulty: false, isCreated: false, ...state },
});

/** @param unidentified the groups of the lines of which it is not known what they describe */
function faultOf(
  body: Readonly<Record<string, unknown>>,
  member: string,
  others: readonly ReturnType<typeof other>[] = [],
  unidentified: readonly LineGroup[] = [],
) {
  const error = missingReference(importLine({ name: 'h', ...body }), member, String(body[member]), {
    findLine: (identity) => others.find((one) => one.identity === identity)?.line,
    hasUnidentifiedLines: (group) => unidentified.includes(group),
  });
  expect(error.code).toBe('validation_exception');
  return [error.message, missingOf(error)];
}

const region = { kind: 'region', name: 'r' };
const cell = { kind: 'cell', region: 'r', name: 'c' };
const NO_REGION = 'region: there is no region "r" in this project';
const NO_CELL = 'cell: there is no cell "c" in the region "r"';
const located = { region: 'r', cell: 'c' };
const newRegion = other(identityOf(regions, 'r'), { isCreated: true });

describe('a line that references what does not exist', () => {
  it.each([
    ['a region', { region: 'r' }, 'region', NO_REGION, [region]],
    ['a region, and so its cell', located, 'region', NO_REGION, [region, cell]],
    ['a region without a cell', { region: 'r', cell: null }, 'region', NO_REGION, [region]],
    ['a cell', located, 'cell', NO_CELL, [cell]],
    ['a cell in the region of the device', { cell: 'c' }, 'cell', 'cell: there is no cell "c" in the region of the device', []],
    ['a parent', { region: 'r', parent: 'p' }, 'parent', 'parent: there is no device "p" in this project', []],
    ['a cloud', { kind: 'region', cloud: 'k' }, 'cloud', 'cloud: there is no cloud "k" in this project', []],
    ['a name with quotes', { region: '"' }, 'region', String.raw`region: there is no region "\"" in this project`, [{ kind: 'region', name: '"' }]],
  ])('names %s', (_, body, member, message, missing) => {
    expect(faultOf(body, member)).toEqual([message, missing]);
  });

  it('names its own parent as such', () => {
    expect(faultOf({ parent: 'h' }, 'parent')).toEqual(['parent: a device cannot be its own parent', []]);
  });

  it.each([
    ['region', { region: 'r' }, identityOf(regions, 'r'), 'region: the region "r" of line 9'],
    ['cell', located, identityOf(cells, 'r', 'c'), 'cell: the cell "c" of line 9'],
    ['parent', { parent: 'p' }, deviceIdentity('p'), 'parent: the device "p" of line 9'],
    ['cloud', { kind: 'region', cloud: 'k' }, identityOf(clouds, 'k'), 'cloud: the cloud "k" of line 9'],
  ])('names the faulty line of its %s', (member, body, identity, message) => {
    const faulty = other(identity, { isFaulty: true });
    expect(faultOf(body, member, [faulty])).toEqual([`${message} was not imported either`, []]);
  });

  it('names the line of a parent that is a descendant: it is written later', () => {
    expect(faultOf({ parent: 'p' }, 'parent', [other(deviceIdentity('p'))])).toEqual([
      'parent: the device "p" of line 9 is a descendant of this device',
      [],
    ]);
  });

  it('names the region of a cell, too, if another line creates it, which is rolled back', () => {
    expect(faultOf(located, 'cell', [newRegion])).toEqual([NO_CELL, [region, cell]]);
    expect(faultOf(located, 'cell', [other(newRegion.identity)])).toEqual([NO_CELL, [cell]]);
  });

  it.each([
    ['region', { region: 'r' }, regions, `${NO_REGION}, or its line is invalid`, []],
    ['cell', located, cells, `${NO_CELL}, or its line is invalid`, []],
    ['parent', { parent: 'p' }, devices, 'parent: there is no device "p" in this project, or its line is invalid', []],
    // Only the cell can be the one of the other line.
    ['region', located, cells, NO_REGION, [region]],
    ['region', located, devices, NO_REGION, [region, cell]],
  ])('may name what a line creates that does not say what it describes: %s, %j', (member, body, group, message, missing) => {
    expect(faultOf(body, member, [], [group])).toEqual([message, missing]);
  });
});

it.each([
  ['region', { region: 'r' }, identityOf(regions, 'r')],
  ['cell', located, identityOf(cells, 'r', 'c')],
  ['cell', { cell: 'c' }, undefined],
  ['parent', { parent: 'p' }, deviceIdentity('p')],
  ['cloud', { kind: 'region', cloud: 'k' }, identityOf(clouds, 'k')],
])('the identity of a referenced %s, of %j', (member, body: Readonly<Record<string, unknown>>, identity) => {
  expect(referencedIdentity(importLine(body), member, String(body[member]))).toBe(identity);
});
