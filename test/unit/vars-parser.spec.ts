import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InventoryError } from '../../src/core/errors';
import { toJsonPath } from '../../src/variables/filter/document-test';
import { parseFilters } from '../../src/variables/filter/vars-parser';

/** The jsonpath of each filter. */
const paths = (text: string) => parseFilters(text).map(toJsonPath);

/** The error message for a text, or undefined. */
function fault(text: string): string | undefined {
  try {
    parseFilters(text);
    return undefined;
  } catch (error) {
    if (error instanceof InventoryError && error.code === 'invalid_request') return error.details[0]?.message;
    throw error;
  }
}

const ROOT = join(__dirname, '../..');

/** The filters by texts in the documentation. */
const documentedFilters = [
  'CHANGELOG.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => join('docs', name)),
]
  .filter((file) => file.endsWith('.md'))
  .flatMap((file) => [...readFileSync(join(ROOT, file), 'utf8').matchAll(/`(\w[^`\s]*:"[^`]*")`/g)])
  .map(([, filter = '']) => filter);

it.each(documentedFilters)('accepts the documented filter %s', (filter) => {
  expect(fault(filter)).toBeUndefined();
});

describe('the vars parser', () => {
  it.each([
    ['a:1', '$."a" ? (@ == 1)'],
    ['a.b.c:"x"', '$."a"."b"."c" ? (@ == "x")'],
    ['a.b[*].c:"x"', '$."a"."b"[*]."c" ? (@ == "x")'],
    ['a[0]:true', '$."a"[0] ? (@ == true)'],
    ['a[2147483647].b:null', '$."a"[2147483647]."b" ? (@ == null)'],
    ['a.*:false', '$."a".* ? (@ == false)'],
    ['a.*.*.b:1', '$."a".*.*."b" ? (@ == 1)'],
    ['"x-y".z.w:"v"', '$."x-y"."z"."w" ? (@ == "v")'],
    ['"x-y"[3]:1', '$."x-y"[3] ? (@ == 1)'],
    ['"\\u0061":1', '$."a" ? (@ == 1)'],
    ['größe:1', '$."größe" ? (@ == 1)'],
    ['変数.キー:1', '$."変数"."キー" ? (@ == 1)'],
    ['𝒜b:1', '$."𝒜b" ? (@ == 1)'],
    ['_private:1', '$."_private" ? (@ == 1)'],
    ['true:true', '$."true" ? (@ == true)'],
    ['null.false:null', '$."null"."false" ? (@ == null)'],
    ['__proto__.constructor:1', '$."__proto__"."constructor" ? (@ == 1)'],
  ])('reads %s', (text, path) => {
    expect(paths(text)).toEqual([path]);
  });

  it.each([
    '0',
    '-0',
    '7',
    '-12',
    '1.5',
    '-0.25',
    '1e5',
    '1E+5',
    '2.5e-3',
    '9007199254740993',
    '123456789012345678901234567890.123456789',
  ])('keeps the text of the number %s', (number) => {
    expect(paths(`a:${number}`)).toEqual([`$."a" ? (@ == ${number})`]);
  });

  it('reads several filters', () => {
    expect(paths('"x-y".z.w:"v",k.n:5,k.m:null')).toEqual([
      '$."x-y"."z"."w" ? (@ == "v")',
      '$."k"."n" ? (@ == 5)',
      '$."k"."m" ? (@ == null)',
    ]);
  });

  it('returns the variable of the first path leg', () => {
    expect(parseFilters('"x-y"[0].z:1').map((filter) => filter.key)).toEqual(['x-y']);
  });

  it.each([
    ['"', '\\"'],
    ['\\', '\\\\'],
    ['") || (1 == 1', '\\") || (1 == 1'],
    ['$."a".**', '$.\\"a\\".**'],
    ["'; DROP TABLE devices; --", "'; DROP TABLE devices; --"],
  ])('escapes %s in keys and values', (hostile, escaped) => {
    const literal = JSON.stringify(hostile);
    expect(paths(`a.${literal}:${literal}`)).toEqual([`$."a"."${escaped}" ? (@ == "${escaped}")`]);
  });

  it.each([
    ['', 1, 'a key'],
    [':1', 1, 'a key'],
    ['a', 2, '":"'],
    ['a:', 3, 'a value after ":"'],
    ['a.:1', 3, 'a key'],
    ['a..b:1', 3, 'a key'],
    ['a.1b:1', 3, 'a key'],
    ['1a:1', 1, 'a key'],
    ['-a:1', 1, 'a key'],
    [' a:1', 1, 'a key'],
    ['a :1', 2, '":"'],
    ['a: 1', 3, 'double quotes'],
    ['a-b:1', 2, 'a key with a hyphen needs double quotes'],
    ['a.b-c:1', 4, 'a key with a hyphen needs double quotes'],
    ['a:hello', 3, 'a string needs double quotes'],
    ['a:truely', 3, 'a string needs double quotes'],
    ['a:True', 3, 'a string needs double quotes'],
    ["a:'x'", 3, 'a string needs double quotes'],
    ['a:{}', 3, 'JSON string, number, true, false or null'],
    ['a:[1]', 3, 'JSON string, number, true, false or null'],
    ['a:*', 3, 'wildcards in a value are not supported'],
    ['a:"x"*', 6, '"," or the end'],
    ['a:01', 3, 'number'],
    ['a:+1', 3, 'number'],
    ['a:1.', 3, 'number'],
    ['a:.5', 3, 'number'],
    ['a:1e', 3, 'number'],
    ['a:1x', 3, 'number'],
    ['a:1.2.3', 3, 'number'],
    ['a:0x10', 3, 'number'],
    ['a:NaN', 3, 'double quotes'],
    ['a:1 ', 4, '"," or the end'],
    ['a:1,', 5, 'a key'],
    ['a:1,,b:1', 5, 'a key'],
    ['a:1;b:1', 4, '"," or the end'],
    ['a:1:2', 4, '"," or the end'],
    ['*:1', 1, 'cannot begin with "*"'],
    ['*.a:1', 1, 'cannot begin with "*"'],
    ['a.**:1', 4, 'double asterisk is not supported'],
    ['a**b:1', 2, 'double asterisk is not supported'],
    ['**:1', 2, 'double asterisk is not supported'],
    ['a.b*:1', 4, '"*" must be a whole leg'],
    ['a.*b:1', 4, '"." or ":"'],
    ['a.*[0]:1', 4, '"." or ":"'],
    ['a[4:10]:1', 4, 'array slices are not supported'],
    ['a[:3]:1', 3, 'array slices are not supported'],
    ['a[-1]:1', 3, 'a whole number'],
    ['a[x]:1', 3, 'a whole number'],
    ['a[]:1', 3, 'a whole number'],
    ['a[1.5]:1', 4, '"]"'],
    ['a[0:1', 4, 'array slices are not supported'],
    ['a[0', 4, '"]"'],
    ['a[0][1]:1', 5, '"." or ":"'],
    ['a[2147483648]:1', 3, 'the index is too large'],
    ['"a:1', 1, 'closing double quote'],
    ['a:"x', 3, 'closing double quote'],
    ['a:"x\\"', 3, 'closing double quote'],
    ['a:"\\q"', 3, 'an escape in it is not valid'],
    ['a:"\n"', 3, 'not valid'],
    ['"a:b":1', 1, '":" and "," cannot be used in a key'],
    ['"a,b":1', 1, '":" and "," cannot be used in a key'],
    ['a:"x:y"', 3, '":" and "," cannot be used in a value'],
    ['a:"x,y"', 3, '":" and "," cannot be used in a value'],
    ['a:"x\\u003ay"', 3, '":" and "," cannot be used in a value'],
    ['a:"x\\u002cy"', 3, '":" and "," cannot be used in a value'],
    ['kernel<6.12', 7, '":" and a value: this is a condition of where'],
    ['a:1,b.c in ["x:y"]', 8, '":" and a value: this is a condition of where'],
    ['a:"aa:bb"', 3, 'but where accepts them'],
    ['a:1,b:"x', 7, 'closing double quote'],
  ])('rejects %j at character %i: %s', (text, at, expected) => {
    const message = fault(text);
    expect(message).toContain(`at character ${String(at)}:`);
    expect(message).toContain(expected);
  });

  it.each(['', ':1', '[0]:1', '*:1'])('does not propose "*" as the first leg: %j', (text) => {
    expect(fault(text)).toContain('expected');
    expect(fault(text)).not.toContain('or "*"');
  });

  it('counts code points, not UTF-16 units', () => {
    expect(fault('"𝒜𝒜".b-c:1')).toContain('at character 7:');
  });

  it('accepts at most 16 filters', () => {
    const filters = (n: number) => Array.from({ length: n }, (_, i) => `k${String(i)}:1`).join(',');
    expect(paths(filters(16))).toHaveLength(16);
    expect(fault(filters(17))).toContain('at most 16 filters');
  });

  it('accepts at most 16 legs', () => {
    const legs = (n: number) => `${Array.from({ length: n }, (_, i) => `k${String(i)}`).join('.')}:1`;
    expect(paths(legs(16))).toHaveLength(1);
    expect(fault(legs(17))).toContain('at most 16 legs');
  });
});
