import {
  countsOf,
  type FleetTile,
  largestTiles,
  listOfTile,
  partsByAgreement,
  partsByValue,
  regionsOf,
  sharesOf,
  tilesOfRun,
  tileName,
  tileText,
  widthsOf,
} from '../src/components/fleet-map/fleet-tiles';

const tile = (region: number, cell: string | null, devices: number, parts = [devices]): FleetTile => ({
  region: { id: region, name: `r-${region}` },
  cell: cell === null ? null : { id: 100 * region + cell.length, name: cell },
  devices,
  parts,
});

describe('a fleet map', () => {
  it('has regions and cells in natural order, and the devices in no cell last', () => {
    const tiles = [tile(10, null, 1), tile(10, 'rack-10', 2), tile(2, 'a', 3), tile(10, 'rack-9', 4)];
    expect(
      regionsOf(tiles).map(({ name, devices, tiles: of }) => [
        name,
        devices,
        of.map(({ cell }) => cell?.name),
      ]),
    ).toEqual([
      ['r-2', 3, ['a']],
      ['r-10', 7, ['rack-9', 'rack-10', undefined]],
    ]);
  });

  it('has a legend with the devices of all tiles', () => {
    const tiles = [tile(1, 'a', 3, [1, 2]), tile(1, null, 4, [4])];
    expect(countsOf(tiles, 3)).toEqual({ devices: 7, parts: [5, 2, 0] });
  });

  it('has the counts of the whole run of an audit, not of the locations that fit', () => {
    const names = { regionName: (id: number) => `r-${id}`, cellName: (id: number) => `c-${id}` };
    const locations = [
      { region_id: 1, cell_id: 5, devices: 4, failed: 3 },
      { region_id: 1, cell_id: null, devices: 2, failed: 0 },
    ];
    expect(tilesOfRun({ devices: 10, passed: 7, failed: 3, locations }, names)).toEqual({
      tiles: [
        { region: { id: 1, name: 'r-1' }, cell: { id: 5, name: 'c-5' }, devices: 4, parts: [1, 3] },
        { region: { id: 1, name: 'r-1' }, cell: null, devices: 2, parts: [2, 0] },
      ],
      counts: { devices: 10, parts: [7, 3] },
    });
  });

  it('shows the largest tiles', () => {
    const tiles = [tile(1, 'a', 1), tile(1, 'bb', 3), tile(1, 'ccc', 2)];
    expect(largestTiles(tiles, 2).map(({ devices }) => devices)).toEqual([3, 2]);
    expect(largestTiles(tiles, 3)).toBe(tiles);
  });

  it.each([
    ['in proportion', [10, 20, 30], [3, 6, 9]],
    ['of one size', [7, 7], [6, 6]],
    ['between the limits', [1, 100, 100, 10_000], [1.75, 6, 6, 19]],
    ['none', [], []],
  ])('has tiles %s', (_name, devices, widths) => {
    expect(widthsOf(devices)).toEqual(widths);
  });

  it.each([
    ['known, other and absent values', { '"a"': 5, '"x"': 1 }, 8, 2, [5, 0, 1, 2]],
    ['values that were not listed', { '"a"': 5 }, 8, 0, [5, 0, 3, 0]],
    ['no values', {}, 3, 3, [0, 0, 0, 3]],
  ])('counts %s', (_name, counts, devices, without, parts) => {
    const values = Object.entries(counts).map(([text, number]) => ({ text, devices: number }));
    expect(partsByValue({ devices, without, values }, ['"a"', '"b"'])).toEqual(parts);
  });

  it.each([
    ['the most frequent value', 6, 1, [3, 3]],
    ['no value, if most devices have none', 9, 5, [5, 4]],
  ])('compares with %s', (_name, devices, without, parts) => {
    expect(partsByAgreement({ devices, without, values: [{ text: '1', devices: 3 }] })).toEqual(parts);
  });

  it('divides a tile by its parts, the largest first', () => {
    expect(sharesOf(tile(1, 'a', 4, [1, 0, 3]))).toEqual([
      [2, 0.75],
      [0, 0.25],
    ]);
  });
});

describe('a tile of a fleet map', () => {
  const categories = [{ listOf: 'pass' }, { listOf: 'fail' }, {}];

  it.each([
    ['the last category that it has', [1, 2, 0], 'fail'],
    ['the only one', [3, 0, 0], 'pass'],
    ['all its devices, if that category has no list', [1, 0, 2], 'all'],
    ['all its devices, without parts', [], 'all'],
  ])('leads to the list of %s', (_, parts, list) => {
    expect(listOfTile({ parts }, categories, 'all')).toBe(list);
  });
});

it('the number of a tile is whole, shortened, or not there: never cut', () => {
  expect(tileText('A', 5, 1.75)).toBe('A 5');
  expect(tileText('AB', 12, 5.5)).toBe('AB 12');
  expect(tileText('A', 1_234, 2.6)).toBe('A');
  expect(tileText('A', 1_234, 3)).toBe('A 1.2K');
  // Fewer marks before no number.
  expect(tileText('ABC', 123_456, 3.9)).toBe('A 123.5K');
  expect(tileText('ABC', 123_456, 3.5)).toBe('A');
});

it('the name of a tile is its end where there is no room, but no part of a number', () => {
  expect(tileName('hall-1-row-04', 5.5)).toEqual({ text: 'hall-1-row-04', tail: 9 });
  expect(tileName('hall-1-row-04', 4)).toEqual({ text: '04', tail: 0 });
  expect(tileName('hall-1-row-04', 1.75)).toEqual({ text: '04', tail: 0 });
  expect(tileName('hall-1-row-104', 1.75)).toEqual({ text: '…', tail: 0 });
  expect(tileName('rack-1', 1.75)).toEqual({ text: 'rack-1', tail: 9 });
});
