import { NewValues } from '../../src/bulk/import/new-values';

const KEYS = ['a', 'b'];

function lineOf(line: number, variables: string) {
  const text = `{"kind":"host","name":"web-${String(line)}","variables":${variables}}`;
  return { line, text, body: JSON.parse(text) as Record<string, unknown> };
}

/** The columns of two lines of new devices. */
function unusualTypes(
  first: string,
  second: string,
  elsewhere: { texts?: boolean; numbers?: boolean; booleans?: boolean } = {},
) {
  const values = new NewValues();
  values.add(lineOf(2, first), undefined);
  values.add(lineOf(3, second), undefined);
  const { texts = false, numbers = false, booleans = false } = elsewhere;
  const types = { key: 'a', has_texts: texts, has_numbers: numbers, has_booleans: booleans };
  return values.unusualTypes(KEYS, new Map([['a', types]]));
}

describe('the new values of a table', () => {
  it.each([
    ['{"a": 6.8}', '{"a": "6.10"}', {}, [{ key: 'a', line: 2, cell: '6.8', type: 'number' }]],
    ['{"a": "x"}', '{"a": true}', {}, [{ key: 'a', line: 3, cell: 'true', type: 'boolean' }]],
    ['{"a": 6.8}', '{"a": 6.9}', { texts: true }, [{ key: 'a', line: 2, cell: '6.8', type: 'number' }]],
    ['{"a": 6.8}', '{"a": 6.9}', { texts: true, numbers: true }, [expect.objectContaining({ cell: '6.8' })]],
    ['{"a": "6.10"}', '{}', { numbers: true }, [{ key: 'a', line: 2, cell: '6.10', type: 'string' }]],
    ['{"a": "TRUE"}', '{}', { booleans: true }, [{ key: 'a', line: 2, cell: 'TRUE', type: 'string' }]],
    ['{"a": "TRUE"}', '{}', { booleans: true, texts: true }, []],
    // A parsed number would have lost digits.
    ['{"a": 90071992547409931}', '{"a": "x"}', {}, [expect.objectContaining({ cell: '90071992547409931' })]],
    ['{"a": 6.8}', '{"a": 6.9}', { numbers: true }, []],
    ['{"a": 6.8}', '{"a": true}', {}, []],
    ['{"a": "6.8"}', '{"a": "6.10"}', { texts: true, numbers: true }, []],
    ['{"a": 6.8}', '{"b": "x"}', {}, []],
    ['{"a": 6.8}', '{"a": null}', {}, []],
    ['{"a": 6.8}', '{"a": ["x"]}', {}, []],
    ['{"a": {"b": 1}}', '{"a": [1]}', { texts: true }, []],
  ])('%s and %s, with %j elsewhere: %j', (first, second, elsewhere, expected) => {
    expect(unusualTypes(first, second, elsewhere)).toEqual(expected);
  });

  it('are those that devices did not set', () => {
    const values = new NewValues();
    values.add(lineOf(2, '{"a": 6.8, "b": 1}'), ['b']);
    values.add(lineOf(3, '{"a": "x", "b": "y"}'), undefined);
    expect(values.unusualTypes(KEYS, new Map())).toEqual([{ key: 'b', line: 2, cell: '1', type: 'number' }]);
  });

  it('are reported with the first line, and the beginning of long values', () => {
    const values = new NewValues();
    values.add(lineOf(7, '{"a": "x"}'), undefined);
    values.add(lineOf(5, `{"a": ${'1'.repeat(200)}}`), undefined);
    values.add(lineOf(9, '{"a": 2}'), undefined);
    expect(values.unusualTypes(KEYS, new Map())).toEqual([
      { key: 'a', line: 5, cell: '1'.repeat(100), type: 'number' },
    ]);
    values.clear();
    expect(values.unusualTypes(KEYS, new Map())).toEqual([]);
  });
});
