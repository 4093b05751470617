import fc from '../support/property-testing';
import { documentOf, membersOf } from '../../src/core/json/json-text';
import { documents, jsonbText } from '../support/jsonb-text';

describe('membersOf', () => {
  it('returns the same keys and values as JSON.parse', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const text = jsonbText(document);
        const split = [...membersOf(text)].map(([key, value]) => [JSON.parse(key), JSON.parse(value)]);
        // As maps, because objects order integer-like keys first.
        expect(new Map(split as [string, unknown][])).toEqual(
          new Map(Object.entries(JSON.parse(text) as object)),
        );
        expect(split).toHaveLength(document.size);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is reversed by documentOf without changes to the text', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const text = jsonbText(document);
        expect(documentOf(membersOf(text))).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });

  it('handles strings that end in backslashes', () => {
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

  it('returns no members for an empty document', () => {
    expect([...membersOf('{}')]).toEqual([]);
    expect(documentOf([])).toBe('{}');
  });
});
