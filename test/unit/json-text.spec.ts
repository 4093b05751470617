import fc from 'fast-check';
import { documentOf, membersOf } from '../../src/core/json/json-document';
import { documents, jsonbText } from '../support/jsonb-text';

describe('a document split into members', () => {
  it('has the keys and values that JSON.parse finds, whatever stands in strings', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const text = jsonbText(document);
        const split = [...membersOf(text)].map(([key, value]) => [JSON.parse(key), JSON.parse(value)]);
        // As maps: an object would put keys that look like numbers first.
        expect(new Map(split as [string, unknown][])).toEqual(
          new Map(Object.entries(JSON.parse(text) as object)),
        );
        expect(split).toHaveLength(document.size);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is the same text when put together again: no digit and no space is lost', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const text = jsonbText(document);
        expect(documentOf(membersOf(text))).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });

  it('keeps a string that ends in backslashes whole', () => {
    const text = '{"a\\\\": "\\\\\\\\", "b\\"": "\\\\\\"", "c": "}"}';
    expect([...membersOf(text)]).toEqual([
      ['"a\\\\"', '"\\\\\\\\"'],
      ['"b\\""', '"\\\\\\""'],
      ['"c"', '"}"'],
    ]);
  });

  it('keeps __proto__ as a member', () => {
    expect([...membersOf('{"__proto__": {"x": 1}, "constructor": 2}')]).toEqual([
      ['"__proto__"', '{"x": 1}'],
      ['"constructor"', '2'],
    ]);
  });

  it('is empty for an empty document', () => {
    expect([...membersOf('{}')]).toEqual([]);
    expect(documentOf([])).toBe('{}');
  });
});
