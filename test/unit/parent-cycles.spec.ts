import { byChain } from '../../src/bulk/import/parent-cycles';

/** @param parents the line of the parent of each line */
const ordered = (parents: Readonly<Record<number, number>>) =>
  byChain(Object.entries(parents).map(([line, parent]) => ({ line: Number(line), parent })));

describe('the order of devices in cycles', () => {
  it.each([
    ['a device that is its own parent', { 2: 2 }, [2]],
    ['parents that follow their children', { 2: 3, 3: 4, 4: 2 }, [4, 3, 2]],
    ['parents that precede their children', { 2: 4, 3: 2, 4: 3 }, [3, 4, 2]],
    ['a device below a cycle', { 2: 3, 3: 4, 4: 3 }, [4, 3, 2]],
    ['a device below a cycle that precedes it', { 2: 3, 3: 2, 4: 3 }, [3, 2, 4]],
    ['two cycles', { 2: 4, 3: 5, 4: 2, 5: 3 }, [4, 2, 5, 3]],
  ])('%s', (_, parents, lines) => {
    expect(ordered(parents)).toEqual(lines);
  });
});
