import fc from '../support/property-testing';
import { documentOf, membersOf, splitJsonObject } from '../../src/core/json/json-text';
import { documents } from '../support/jsonb-documents';
import { jsonbText } from '../support/jsonb-text';

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
      { numRuns: 500 },
    );
  });

  it('is reversed by documentOf without changes to the text', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const text = jsonbText(document);
        expect(documentOf(membersOf(text))).toBe(text);
      }),
      { numRuns: 500 },
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

describe('splitJsonObject', () => {
  it('returns the same members as JSON.parse, however the text is spaced', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.constantFrom('', ' ', '\t'),
        (object, space) => {
          const parsed = JSON.parse(JSON.stringify(object)) as object;
          const split = [...splitJsonObject(JSON.stringify(object, undefined, space))];
          expect(split.map(([name, text]) => [name, JSON.parse(text)])).toEqual(
            expect.arrayContaining(Object.entries(parsed)),
          );
          expect(split).toHaveLength(Object.keys(parsed).length);
        },
      ),
    );
  });

  it('keeps digits, and the last of repeated names', () => {
    expect([...splitJsonObject('{ "a" : 1 , "a":9007199254740993, "b\\u0063" : "}" }')]).toEqual([
      ['a', '9007199254740993'],
      ['bc', ' "}" '],
    ]);
    expect([...splitJsonObject(' { } ')]).toEqual([]);
  });
});
