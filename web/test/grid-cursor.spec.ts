import { isLostPaste, rangeOf } from '../src/components/grid-cursor';

it.each([
  // Whether a cell or a field has taken it, whether the list or nothing has the focus, the text, and whether it is lost.
  [false, true, '6.8\t6.9', true],
  [true, true, '6.8', false],
  [false, false, '6.8', false],
  [false, true, ' \n', false],
])(
  'a paste that is taken (%s), in the list or on the page (%s), of %j is lost: %s',
  (taken, ours, text, lost) => {
    expect(isLostPaste(taken, ours, text)).toBe(lost);
  },
);

it.each([
  [4, 0, undefined],
  [4, 2, [4, 6]],
  [4, -4, [0, 4]],
])('from row %i, a range with %i further rows has the rows %j', (active, extent, rows) => {
  expect(rangeOf(active, extent)).toEqual(rows);
});
