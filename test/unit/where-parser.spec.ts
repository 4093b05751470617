import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InventoryError } from '../../src/core/errors';
import { documentTest } from '../../src/variables/filter/document-test';
import { canMatch, formatCondition } from '../../src/variables/filter/variable-filter';
import { parseCondition, parseConditions } from '../../src/variables/filter/where-parser';

/** The error message for values of the parameter, or undefined. */
function faultOf(...texts: string[]): string | undefined {
  try {
    parseConditions(texts);
    return undefined;
  } catch (error) {
    if (error instanceof InventoryError && error.code === 'invalid_request') return error.details[0]?.message;
    throw error;
  }
}

/** The conditions beside questions in the documentation. */
const documentedConditions = [
  ...readFileSync(join(__dirname, '../../docs/api/where.md'), 'utf8').matchAll(/^\| [^`|]+\?.*$/gm),
].flatMap(([row]) => [...row.matchAll(/`([^`]+ [^`]+)`/g)].map(([, condition = '']) => condition));

it.each(documentedConditions)('accepts the documented condition %s', (condition) => {
  expect(faultOf(condition)).toBeUndefined();
});

it('has documented conditions', () => {
  expect(documentedConditions.length).toBeGreaterThan(10);
});

const nothing = { required: null, excluded: null, texts: null, comparison: null, operand: null };

describe('the where parser', () => {
  it.each([
    ['a = 1', { required: '$."a" ? (@ == 1)' }],
    ['a=1', { required: '$."a" ? (@ == 1)' }],
    ['\t a  =\r\n 1 ', { required: '$."a" ? (@ == 1)' }],
    ['a = "x"', { required: '$."a" ? (@ == "x")' }],
    ['a = null', { required: '$."a" ? (@ == null)' }],
    ['a=true', { required: '$."a" ? (@ == true)' }],
    ['a != 1', { required: '$."a"', excluded: '$."a" ? (@ == 1)' }],
    ['a.b[*].c!="x"', { required: '$."a"."b"[*]."c"', excluded: '$."a"."b"[*]."c" ? (@ == "x")' }],
    ['a ^= "MX7"', { required: '$."a" ? (@ starts with "MX7")' }],
    ['a.*^="("', { required: '$."a".* ? (@ starts with "(")' }],
    [
      'a ~= "Rack \\"1\\""',
      { texts: '$."a"[*] ? (@.type() == "string")', comparison: '~=', operand: 'Rack "1"' },
    ],
    ['a < 6', { required: '$."a" ? (@ < 6)' }],
    ['a<=6.12', { required: '$."a" ? (@ <= 6.12)' }],
    ['a > -1e3', { required: '$."a" ? (@ > -1e3)' }],
    ['a[0] >= 9007199254740993', { required: '$."a"[0] ? (@ >= 9007199254740993)' }],
    ['a < "6.12"', { texts: '$."a"[*] ? (@.type() == "string")', comparison: '<', operand: '6.12' }],
    ['a.b>="x"', { texts: '$."a"."b"[*] ? (@.type() == "string")', comparison: '>=', operand: 'x' }],
    ['a in [1]', { required: '$."a" ? (@ == 1)' }],
    ['a in[1,"x" , null,true ]', { required: '$."a" ? (@ == 1 || @ == "x" || @ == null || @ == true)' }],
    ['"x-y"in["a"]', { required: '$."x-y" ? (@ == "a")' }],
    ['a exists', { required: '$."a"' }],
    ['a.*.b exists ', { required: '$."a".*."b"' }],
    ['a missing', { excluded: '$."a"' }],
    ['"x-y".z[3]missing', { excluded: '$."x-y"."z"[3]' }],
  ])('reads %j', (text, expected) => {
    expect(documentTest(parseCondition(text))).toEqual({ ...nothing, ...expected });
  });

  it.each([
    ['exists exists', 'exists exists'],
    ['missing missing', 'missing missing'],
    ['in in [1]', 'in in [1]'],
    ['not = 1', 'not = 1'],
    ['a.in.exists = 2', 'a.in.exists = 2'],
    ['null = null', 'null = null'],
    ['"a" = "\\u0061"', 'a = "a"'],
    ['größe~="Ä"', 'größe ~= "Ä"'],
    ['"x:y,z".p = "[::1]:443, a"', '"x:y,z".p = "[::1]:443, a"'],
    ['a[*].*.b[2] in [ 1, 1.0 ]', 'a[*].*.b[2] in [1, 1.0]'],
    ['__proto__ != "x"', '__proto__ != "x"'],
  ])('formats %j as %j', (text, formatted) => {
    const condition = parseCondition(text);
    expect(formatCondition(condition)).toBe(formatted);
    expect(parseCondition(formatted)).toEqual(condition);
  });

  it.each([
    ['"', '\\"'],
    ['\\', '\\\\'],
    ['") || (1 == 1', '\\") || (1 == 1'],
    ["'; DROP TABLE devices; --", "'; DROP TABLE devices; --"],
  ])('escapes %s in keys and values', (hostile, escaped) => {
    const literal = JSON.stringify(hostile);
    expect(documentTest(parseCondition(`a.${literal} = ${literal}`)).required).toBe(
      `$."a"."${escaped}" ? (@ == "${escaped}")`,
    );
    expect(documentTest(parseCondition(`a < ${literal}`)).operand).toBe(hostile);
  });

  const OPERATOR = 'expected =, !=, <, <=, >, >=, ^=, ~=, in, exists or missing';
  const KEY = 'expected a key (an identifier, or a string in double quotes)';
  const SCALAR = 'expected a JSON string, number, true, false or null';

  it.each([
    ['', 1, KEY],
    ['  ', 3, KEY],
    ['!a', 1, `${KEY}: write a missing`],
    ['! a.b[0] ', 1, `${KEY}: write a.b[0] missing`],
    ['!a = 1', 1, `${KEY}: there is no "!"; negations are != and missing`],
    ['= 1', 1, KEY],
    ['*.a exists', 1, 'expected the key of a variable: a path cannot begin with "*"'],
    ['a. = 1', 3, 'expected a key (an identifier, or a string in double quotes), or "*"'],
    ['a.**=1', 4, 'the double asterisk is not supported'],
    ['a.b* = 1', 4, `${OPERATOR}: "*" must be a whole leg`],
    ['bgp-asn = 1', 4, `${OPERATOR}: a key with a hyphen needs double quotes`],
    ['a[1:2] = 1', 4, 'expected "]": array slices are not supported'],
    ['a[-1] = 1', 3, 'expected "*" or an index, which is a whole number'],
    ['kernel', 7, `${OPERATOR}: for example kernel exists`],
    ['kernel?', 7, OPERATOR],
    ['kernel (', 8, OPERATOR],
    ['kernel near 6', 8, OPERATOR],
    ['kernel=6.8-rc', 8, `${SCALAR}: a text wants quotes: kernel="6.8-rc"`],
    ['kernel=6.8.1', 8, `${SCALAR}: a text wants quotes: kernel="6.8.1"`],
    ['kernel=foo', 8, `${SCALAR}: a text wants quotes: kernel="foo"`],
    ['kernel = foo bar', 10, `${SCALAR}: a text wants quotes: kernel = "foo bar"`],
    ['kernel=truely', 8, `${SCALAR}: a text wants quotes: kernel="truely"`],
    ['kernel=0x10', 8, `${SCALAR}: a text wants quotes: kernel="0x10"`],
    ['load=.5', 6, `${SCALAR}: write load=0.5`],
    ['load < -.5', 8, `${SCALAR}: write load < -0.5`],
    ['load = 5.', 8, `${SCALAR}: write load = 5`],
    ['load = +5', 8, `${SCALAR}: write load = 5`],
    ['load in [.5, 1]', 10, `${SCALAR}: write 0.5`],
    ['serial = 007', 10, `${SCALAR}: a text wants quotes: serial = "007"`],
    ['serial = .', 10, `${SCALAR}: a text wants quotes: serial = "."`],
    ['kernel<6.8-rc', 8, `${SCALAR}: a text wants quotes: kernel<"6.8-rc"`],
    ['kernel ^= MX', 11, 'expected a JSON string: a text wants quotes: kernel ^= "MX"'],
    ['kernel ~= 6', 11, '~= compares texts: write kernel ~= "6"'],
    ['kernel ^= null', 11, '^= compares texts: write kernel ^= "null"'],
    ["kernel='x'", 8, `${SCALAR}: a text wants double quotes: kernel="x"`],
    ['kernel=“x”', 8, `${SCALAR}: a text wants double quotes: kernel="x"`],
    [`kernel=${'x'.repeat(300)}`, 8, `${SCALAR}: a text wants quotes`],
    ['kernel = True', 10, `${SCALAR}: write kernel = true`],
    ['kernel = NULL', 10, `${SCALAR}: write kernel = null`],
    ['kernel = None', 10, `${SCALAR}: write kernel = null`],
    ['kernel = undefined', 10, `${SCALAR}: write kernel = null`],
    ['kernel =', 9, `${SCALAR}: for example kernel = "text"`],
    ['kernel < ', 10, `${SCALAR}: for example kernel < "text"`],
    ['kernel ^=', 10, 'expected a JSON string: for example kernel ^= "text"'],
    ['kernel = [1,2]', 10, `${SCALAR}: write kernel in [1,2]`],
    ['kernel < [1,2]', 10, `${SCALAR}: arrays and objects cannot be compared, but a path can lead into them`],
    [
      'kernel = {"a":1}',
      10,
      `${SCALAR}: arrays and objects cannot be compared, but a path can lead into them`,
    ],
    ['kernel > = 3', 10, `${SCALAR}: write kernel >= 3`],
    ['kernel < null', 10, '< compares numbers and texts: expected a JSON number or string'],
    ['kernel >= true', 11, '>= compares numbers and texts: expected a JSON number or string'],
    ['kernel==6.8', 7, `${OPERATOR}: write kernel = "6.8", or kernel = 6.8 if the values are numbers`],
    ['kernel == foo', 8, `${OPERATOR}: write kernel = "foo"`],
    ['kernel:"6.8"', 7, `${OPERATOR}: write kernel = "6.8"`],
    ['kernel<>6.8', 7, `${OPERATOR}: write kernel != "6.8", or kernel != 6.8 if the values are numbers`],
    ['kernel => 6', 8, `${OPERATOR}: write kernel >= 6`],
    ['kernel =~ foo', 8, `${OPERATOR}: write kernel ~= "foo"`],
    ['kernel ~ "foo"', 8, `${OPERATOR}: write kernel ~= "foo"`],
    ['serial ~ "^MX7"', 8, `${OPERATOR}: write serial ^= "MX7"`],
    ['serial =~ ^MX7.*', 8, `${OPERATOR}: write serial ^= "MX7"`],
    ['serial = MX7', 10, `${SCALAR}: a text wants quotes: serial = "MX7"`],
    ['kernel =* *foo*', 8, `${OPERATOR}: write kernel ~= "foo"`],
    ['kernel =^ 6', 8, `${OPERATOR}: write kernel ^= "6"`],
    ['kernel !~ "x"', 8, `${OPERATOR}: there is no such operator, and no negation of ^= and ~=`],
    ['kernel $= "x"', 8, `${OPERATOR}: there is no such operator, and no negation of ^= and ~=`],
    ['kernel !exists', 8, `${OPERATOR}: write kernel missing`],
    ['kernel is null', 8, `${OPERATOR}: write kernel = null, or kernel missing`],
    ['kernel IS NOT NULL', 8, `${OPERATOR}: write kernel != null, or kernel exists`],
    ['kernel is missing', 8, `${OPERATOR}: write kernel missing`],
    ['kernel is not set', 8, `${OPERATOR}: write kernel missing`],
    ['kernel is "x"', 8, `${OPERATOR}: write kernel = "x"`],
    ['kernel not exists', 8, `${OPERATOR}: write kernel missing`],
    ['kernel not missing', 8, `${OPERATOR}: write kernel exists`],
    ['kernel not in [1]', 8, `${OPERATOR}: there is no "not in"; several conditions with != mean the same`],
    ['not kernel = 1', 5, `${OPERATOR}: there is no "not"; negations are != and missing`],
    ['kernel like "MX7%"', 8, `${OPERATOR}: write kernel ^= "MX7"`],
    ['kernel like "%MX7%"', 8, `${OPERATOR}: write kernel ~= "MX7"`],
    ['kernel like "MX7"', 8, `${OPERATOR}: write kernel ~= "MX7"`],
    ['no backup_server', 4, `${OPERATOR}: write backup_server missing`],
    ['without rack.row ', 9, `${OPERATOR}: write rack.row missing`],
    ['not kernel', 5, `${OPERATOR}: write kernel missing`],
    ['has kernel', 5, `${OPERATOR}: write kernel exists`],
    ['NOT kernel exists', 5, `${OPERATOR}: write kernel missing`],
    ['not rack.row exists', 5, `${OPERATOR}: write rack.row missing`],
    ['not kernel missing', 5, `${OPERATOR}: write kernel exists`],
    ['not kernel foo', 5, `${OPERATOR}: there is no "not"; negations are != and missing`],
    ['NOT kernel = 1', 5, `${OPERATOR}: there is no "not"; negations are != and missing`],
    ['has kernel foo', 5, OPERATOR],
    ['no kernel = 1', 4, OPERATOR],
    ['constructor foo', 13, OPERATOR],
    ['__proto__ foo', 11, OPERATOR],
    ['kernel constructor x', 8, OPERATOR],
    ['kernel is toString', 8, `${OPERATOR}: write kernel = "toString"`],
    ['kernel ^= 6.', 11, 'expected a JSON string: a text wants quotes: kernel ^= "6."'],
    ['kernel contains foo', 8, `${OPERATOR}: write kernel ~= "foo"`],
    ['kernel matches 6', 8, `${OPERATOR}: write kernel ~= "6"`],
    ['kernel starts with MX', 8, `${OPERATOR}: write kernel ^= "MX"`],
    ['kernel older than "6.8"', 8, `${OPERATOR}: write kernel < "6.8"`],
    [
      'kernel older than 6.12',
      8,
      `${OPERATOR}: write kernel < "6.12", or kernel < 6.12 if the values are numbers`,
    ],
    ['kernel older than 6.12.1', 8, `${OPERATOR}: write kernel < "6.12.1"`],
    ['kernel eq 6', 8, `${OPERATOR}: write kernel = 6`],
    ['kernel empty', 8, `${OPERATOR}: write kernel missing`],
    ['kernel between 1 and 2', 8, `${OPERATOR}: two conditions, with >= and <=, are a range`],
    ['kernel EXISTS', 8, `${OPERATOR}: write kernel exists`],
    ['kernel IN [1]', 8, `${OPERATOR}: write kernel in [1]`],
    ['kernel in', 10, 'expected "[": write kernel in ["text"]'],
    ['kernel in 1,2', 11, 'expected "[": write kernel in [1, 2]'],
    ['kernel in (a,b)', 11, 'expected "[": write kernel in ["a", "b"]'],
    ['rack in {3,4}', 9, 'expected "[": write rack in [3, 4]'],
    ['kernel = missing', 10, `${SCALAR}: write kernel missing`],
    ['kernel in []', 12, SCALAR],
    ['kernel in [a, b]', 12, `${SCALAR}: a text wants quotes: "a"`],
    ['kernel in [6.8-rc]', 12, `${SCALAR}: a text wants quotes: "6.8-rc"`],
    ['kernel in [1,]', 14, SCALAR],
    ['kernel in [[1]]', 12, SCALAR],
    ['rack in [3; 4]', 11, 'expected "," or "]": write rack in [3, 4]'],
    ['rack in [a| b]', 10, `${SCALAR}: a text wants quotes: "a| b"`],
    ['rack in ["a"; "b"]', 13, 'expected "," or "]"'],
    ['kernel in [True]', 12, `${SCALAR}: write true`],
    ['kernel in ["x" "y"]', 16, 'expected "," or "]"'],
    ['kernel in [1', 13, 'expected "," or "]"'],
    [
      'kernel in [1] or',
      15,
      'expected the end: there is no "or"; several values of one path are written with in [ … ]',
    ],
    ['a = 1 and b = 2', 7, 'expected the end: write each condition as a where of its own'],
    ['a=1,b=2', 4, 'expected the end: write each condition as a where of its own'],
    ['a exists true', 10, 'expected the end'],
    ['a = "x"y', 8, 'expected the end'],
    ['a = 1 2', 7, 'expected the end'],
    ['a = "x', 5, 'expected a JSON string with a closing double quote'],
    ['a = "\\q"', 5, 'expected a JSON string: an escape in it is not valid'],
    ['a = "\n"', 5, 'expected a JSON string: an escape in it is not valid'],
    ['a = "\\u0000"', 5, 'a text cannot contain NUL or an unpaired surrogate'],
    ['a = "\\ud83d"', 5, 'a text cannot contain NUL or an unpaired surrogate'],
    ['a."\\u0000" exists', 3, 'a text cannot contain NUL or an unpaired surrogate'],
    ['a in [1, "\\udc00"]', 10, 'a text cannot contain NUL or an unpaired surrogate'],
    ['a < 1e200000', 5, 'the number has too many digits'],
    ['"𝒜𝒜".b-c = 1', 7, `${OPERATOR}: a key with a hyphen needs double quotes`],
  ])('answers %j at character %p: %s', (text, at, expected) => {
    expect(faultOf(text)).toBe(`at character ${String(at)}: ${expected}`);
  });

  it.each([
    ['kernel=6.8-rc'],
    ["kernel = 'it\"s'"],
    ['kernel like %x"y%'],
    ['kernel in (a,"b",3,none)'],
    ['"a.b"[0].* is not "x"'],
    ['kernel > = 6-1'],
    ['kernel NOT exists'],
    ['no backup_server'],
    ['kernel ^= 6.'],
    ['kernel ~= .5'],
    ['load = +5'],
    ['!rack.row'],
    ['load>-.5'],
    ['rack in [3; 4]'],
    ['serial ~ "^MX7"'],
  ])('proposes what it accepts for %j', (text) => {
    const [, proposed = text] = /(?:write|quotes:) (.*)$/s.exec(faultOf(text) ?? '') ?? [];
    expect(faultOf(proposed)).toBeUndefined();
  });

  it('names the condition of several', () => {
    expect(faultOf('a exists', 'b exist')).toBe(`condition 2, at character 3: ${OPERATOR}: write b exists`);
  });

  it('accepts at most 16 conditions, 16 legs and 100 values', () => {
    const texts = (n: number, text: (i: number) => string) => Array.from({ length: n }, (_, i) => text(i));
    const conditions = (n: number) => texts(n, (i) => `k${String(i)} exists`);
    expect(faultOf(...conditions(16))).toBeUndefined();
    expect(faultOf(...conditions(17))).toBe('at most 16 conditions are allowed');
    const legs = (n: number) => `${texts(n, (i) => `k${String(i)}`).join('.')} exists`;
    expect(faultOf(legs(16))).toBeUndefined();
    expect(faultOf(legs(17))).toContain('a path has at most 16 legs');
    const values = (n: number) => `a in [${texts(n, String).join(',')}]`;
    expect(faultOf(values(100))).toBeUndefined();
    expect(faultOf(values(101))).toContain('at most 100 values are allowed');
  });

  it('reads what variables cannot be named, which nobody sets', () => {
    expect(canMatch(parseCondition('"a b" missing'))).toBe(true);
    expect(canMatch(parseCondition('"a b" = 1'))).toBe(false);
  });
});
