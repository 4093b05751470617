import { moveEffect, withoutFormerCell } from '../src/components/device-location';
import { withEntered } from '../src/components/entered-members';

const north = { region_id: 1, cell_id: null };
const rack = { region_id: 1, cell_id: 5 };
const south = { region_id: 2, cell_id: null };
const STAY = 'Devices below it stay where they are.';
const LEAVE = 'The device leaves cell north/rack-a and will be in no cell.';

it.each([
  [rack, south, `${LEAVE} ${STAY}`],
  // To the region of its cell.
  [rack, north, `${LEAVE} ${STAY}`],
  [rack, { region_id: 2, cell_id: 6 }, STAY],
  [north, south, STAY],
  [north, rack, STAY],
  [rack, rack, undefined],
])('a move from %j to %j: %s', (from, to, text) => {
  expect(moveEffect(from, to, (id) => (id === 5 ? 'north/rack-a' : 'south/rack-b'))).toBe(text);
});

it('several devices leave their cells only if they move to a region', () => {
  const texts = [south, rack].map((to) => moveEffect(undefined, to, String));
  expect(texts).toEqual([
    'Devices that are in a cell leave it and will be in no cell. Devices below them stay where they are, unless they are selected, too.',
    'Devices below them stay where they are, unless they are selected, too.',
  ]);
});

it.each([
  [{ region_id: 2 }, { region_id: 2, cell_id: null }],
  [
    { region_id: 2, cell_id: 6 },
    { region_id: 2, cell_id: 6 },
  ],
  [{ note: 'x' }, { note: 'x' }],
])('the write of %j is that of %j', (members, written) => {
  expect(withoutFormerCell(members)).toEqual(written);
});

it.each([
  // What a form has entered, the next member and its value, and what is entered then.
  [{}, 'region_id', 2, { region_id: 2, cell_id: null }],
  [{ region_id: 2, cell_id: 6 }, 'region_id', 3, { region_id: 3, cell_id: null }],
  // Back again.
  [{ region_id: 2, cell_id: null }, 'region_id', 1, { region_id: 1, cell_id: 5 }],
  [{ region_id: 2, cell_id: null }, 'cell_id', 6, { region_id: 2, cell_id: 6 }],
  [{}, 'note', 'x', { note: 'x' }],
])('in a form of a device in a cell, after %j, %s %j: %j', (entered, name, value, expected) => {
  expect(withEntered(rack, entered, name, value)).toEqual(expected);
});

it.each([
  ['a device that was in no cell, and was given one', north, { region_id: 2, cell_id: 6 }, { cell_id: null }],
  ['a resource that has no cell', { region_id: 1 }, {}, {}],
])('in a form of %s, another region is entered', (_, values, entered, expected) => {
  expect(withEntered(values, entered, 'region_id', 3)).toEqual({ region_id: 3, ...expected });
});
