import { blocksToRead, endOf, isIn, nextRanges } from '../../../src/lists/id-ranges';
import { orders } from './a-list';

const BLOCK = 4096;

describe('ranges of ids', () => {
  it.each([
    [
      'grow by a factor of two',
      'id',
      0,
      100 * BLOCK,
      7,
      [
        [0, 0],
        [1, 2],
        [3, 6],
      ],
    ],
    [
      'have as many blocks as wanted',
      'id',
      0,
      100 * BLOCK,
      5,
      [
        [0, 0],
        [1, 2],
        [3, 4],
      ],
    ],
    [
      'begin with the block of the marker',
      'id',
      5 * BLOCK + 17,
      100 * BLOCK,
      3,
      [
        [5, 5],
        [6, 7],
      ],
    ],
    [
      'end with the block of the last id',
      'id',
      0,
      2 * BLOCK + 1,
      1024,
      [
        [0, 0],
        [1, 2],
      ],
    ],
    ['are one if the last id is in the block of the marker', 'id', 7, 8, 1024, [[0, 0]]],
    [
      'go down',
      'id, backwards',
      9 * BLOCK,
      0,
      7,
      [
        [9, 9],
        [7, 8],
        [3, 6],
      ],
    ],
    [
      'end with the block of the first id',
      'id, backwards',
      9 * BLOCK,
      8 * BLOCK + 5,
      7,
      [
        [9, 9],
        [8, 8],
      ],
    ],
  ] as const)('%s', (_, order, marker, last, blocks, expected) => {
    const read = { order: orders[order], marker: [String(marker)], limit: 10 };
    expect(nextRanges(read, String(last), blocks)).toEqual(
      expected.map(([low, high]) => ({ low: low * BLOCK, high: (high + 1) * BLOCK - 1 })),
    );
  });

  it('end with their last id in the order of a read', () => {
    const range = { low: BLOCK, high: 2 * BLOCK - 1 };
    expect([endOf(range, false), endOf(range, true)]).toEqual([range.high, range.low]);
    expect([BLOCK - 1, BLOCK, 2 * BLOCK - 1, 2 * BLOCK].map((id) => isIn(range, id))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});

describe('the number of blocks that should fill a page', () => {
  it.each([
    ['the minimum if no match is known', 3, 0, 543, 31, 3],
    ['the minimum if matches are frequent', 3, 30, 543, 1, 3],
    ['twice as many as are expected', 3, 1, 8192, 10, 40],
    ['not more than the maximum', 3, 1, 9192, 9999, 1024],
    ['the given minimum', 1024, 5, 543, 31, 1024],
  ])('is %s', (_, min, found, width, missing, expected) => {
    expect(blocksToRead(min, found, width, missing)).toBe(expected);
  });
});
