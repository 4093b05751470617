import { partsOfValues } from '../src/components/value-parts';

const partsOf = (...values: unknown[]) =>
  partsOfValues(
    'key',
    values.map((value) => ({ value, devices: 2 })),
  ).map(({ path, types, scalars }) => ({ path, types: [...types], scalars: Object.fromEntries(scalars) }));

describe('the parts of the values of a variable', () => {
  it('of scalars: the value', () => {
    expect(partsOf('6.8', 6.8, null)).toEqual([
      { path: 'key', types: ['text', 'number', 'null'], scalars: { '"6.8"': 2, '6.8': 2, null: 2 } },
    ]);
  });

  it('of a document: its members by their paths', () => {
    expect(partsOf({ row: 4, 'u-height': true }, { row: 5 })).toEqual([
      { path: 'key', types: ['object'], scalars: {} },
      { path: 'key.row', types: ['number'], scalars: { '4': 2, '5': 2 } },
      { path: 'key."u-height"', types: ['boolean'], scalars: { true: 2 } },
    ]);
  });

  it('of a list: its elements as the list, and the members of any element', () => {
    expect(partsOf(['a', 'b', 'a'], [{ size: 1 }, { size: 2 }], [['no path']])).toEqual([
      { path: 'key', types: ['array', 'text'], scalars: { '"a"': 2, '"b"': 2 } },
      { path: 'key[*].size', types: ['number'], scalars: { '1': 2, '2': 2 } },
    ]);
  });

  it('have the type of the most devices first', () => {
    const [part] = partsOfValues('key', [
      { value: 6.8, devices: 2 },
      { value: '6.8', devices: 1 },
      { value: '6.9', devices: 4 },
      { value: [1, 2, 3], devices: 1 },
    ]);
    expect([...(part?.types ?? [])]).toEqual(['text', 'number', 'array']);
  });

  it('of no values: none', () => {
    expect(partsOf()).toEqual([]);
  });
});
