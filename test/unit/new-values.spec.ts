import { NewValues } from '../../src/bulk/import/new-values';

const KEYS = ['a', 'b'];

function lineOf(line: number, variables: string, broken: readonly string[] = []) {
  const text = `{"kind":"host","name":"web-${String(line)}","variables":${variables},"invalid_json_variables":${JSON.stringify(broken)}}`;
  return { line, text, body: JSON.parse(text) as Record<string, unknown> };
}

/** Values of a column: the first one, and how many. */
const valuesOf =
  (type: string) =>
  (line: number, cell: string, count = 1) => ({ line, cell, type, count });
const [number, boolean, text] = [valuesOf('number'), valuesOf('boolean'), valuesOf('string')];

/** The columns of two lines of new devices. */
function unusualTypes(
  first: string,
  second: string,
  elsewhere: { texts?: boolean; numbers?: boolean; booleans?: boolean; documents?: boolean } = {},
) {
  const values = new NewValues();
  values.add(lineOf(2, first), undefined);
  values.add(lineOf(3, second), undefined);
  const { texts = false, numbers = false, booleans = false, documents = false } = elsewhere;
  const types = {
    ...{ key: 'a', has_texts: texts, has_numbers: numbers },
    ...{ has_booleans: booleans, has_arrays_or_objects: documents },
  };
  return values.unusualTypes(KEYS, new Map([['a', types]]));
}

describe('the new values of a table', () => {
  it.each([
    ['{"a": 6.8}', '{"a": "6.10"}', {}, [{ ...number(2, '6.8'), others: text(3, '6.10') }]],
    ['{"a": "x"}', '{"a": true}', {}, [{ ...boolean(3, 'true'), others: text(2, 'x') }]],
    ['{"a": 6.8}', '{"a": 6.9}', { texts: true }, [number(2, '6.8', 2)]],
    ['{"a": 6.8}', '{"a": 6.9}', { texts: true, numbers: true }, [number(2, '6.8', 2)]],
    ['{"a": "6.10"}', '{}', { numbers: true }, [text(2, '6.10')]],
    // The text is what others have not.
    ['{"a": 6.8}', '{"a": "6.10"}', { numbers: true }, [{ ...text(3, '6.10'), others: number(2, '6.8') }]],
    [
      '{"a": 6.8}',
      '{"a": "6.10"}',
      { numbers: true, texts: true },
      [{ ...number(2, '6.8'), others: text(3, '6.10') }],
    ],
    ['{"a": "TRUE"}', '{}', { booleans: true }, [text(2, 'TRUE')]],
    ['{"a": "TRUE"}', '{}', { booleans: true, texts: true }, []],
    // A parsed number would have lost digits.
    [
      '{"a": 90071992547409931}',
      '{"a": "x"}',
      {},
      [{ ...number(2, '90071992547409931'), others: text(3, 'x') }],
    ],
    ['{"a": 6.8}', '{"a": 6.9}', { numbers: true }, []],
    ['{"a": 6.8}', '{"a": true}', {}, []],
    ['{"a": "6.8"}', '{"a": "6.10"}', { texts: true, numbers: true }, []],
    ['{"a": 6.8}', '{"b": "x"}', {}, []],
    ['{"a": 6.8}', '{"a": null}', {}, []],
    ['{"a": 6.8}', '{"a": ["x"]}', {}, []],
    ['{"a": {"b": 1}}', '{"a": [1]}', { texts: true }, []],
    [
      '{"a": "10.1.0.7"}',
      '{"a": "10.1.0.8"}',
      { documents: true },
      [{ ...text(2, '10.1.0.7', 2), reason: 'arrays_or_objects_elsewhere' }],
    ],
    ['{"a": "10.1.0.7"}', '{"a": ["x"]}', { documents: true, texts: true }, []],
    ['{"a": 6.8}', '{"a": 6.9}', { documents: true }, []],
  ])('%s and %s, with %j elsewhere: %j', (first, second, elsewhere, expected) => {
    expect(unusualTypes(first, second, elsewhere)).toEqual(expected.map((one) => ({ key: 'a', ...one })));
  });

  it('that are broken lists have an entry of their own', () => {
    const values = new NewValues();
    values.add(lineOf(2, '{"a": 6.8}'), undefined);
    values.add(lineOf(3, '{"a": "[10.1.0.7]"}', ['a']), undefined);
    values.add(lineOf(4, '{"a": "[10.1.0.8", "b": "[x]"}', ['a']), ['a', 'b']);
    expect(values.unusualTypes(KEYS, new Map())).toEqual([
      { key: 'a', ...text(3, '[10.1.0.7]', 2), reason: 'invalid_json' },
    ]);
  });

  it('are those that devices did not set', () => {
    const values = new NewValues();
    values.add(lineOf(2, '{"a": 6.8, "b": 1}'), ['b']);
    values.add(lineOf(3, '{"a": "x", "b": "y"}'), undefined);
    expect(values.unusualTypes(KEYS, new Map())).toEqual([
      { key: 'b', ...number(2, '1'), others: text(3, 'y') },
    ]);
  });

  it('are reported with the first line, and the beginning of long values', () => {
    const values = new NewValues();
    values.add(lineOf(7, '{"a": "x"}'), undefined);
    values.add(lineOf(5, `{"a": ${'1'.repeat(200)}}`), undefined);
    values.add(lineOf(9, '{"a": 2}'), undefined);
    expect(values.unusualTypes(KEYS, new Map())).toEqual([
      { key: 'a', ...number(5, '1'.repeat(100), 2), others: text(7, 'x') },
    ]);
    values.clear();
    expect(values.unusualTypes(KEYS, new Map())).toEqual([]);
  });
});
