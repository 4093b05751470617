import { variableKeyError, variablesError } from '../../src/core/context/variable-keys';

describe('the key of a variable', () => {
  it.each([
    'a',
    '_',
    '_a',
    'ntp_servers',
    'x-y',
    'a-',
    'A1',
    'größe',
    '変数',
    '𝒜',
    'a·b',
    '__proto__',
    'constructor',
  ])('can be %s', (key) => expect(variableKeyError(key)).toBeUndefined());

  it.each([
    '',
    '1a',
    '-a',
    '·a',
    'a b',
    'a.b',
    'a:b',
    'a,b',
    'a/b',
    'a*',
    'a\n',
    '"a"',
    '$a',
    'a\u0000',
    'a\ud800',
    '😀',
  ])('cannot be %j', (key) => expect(variableKeyError(key)?.message).toContain('not a valid key'));

  it.each(['a', '𝒜'])('has at most 255 characters, such as %s', (character) => {
    expect(variableKeyError(character.repeat(255))).toBeUndefined();
    expect(variableKeyError(character.repeat(256))?.message).toContain('at most 255 characters');
  });
});

describe('variables', () => {
  const nested = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown;

  it.each([{}, { a: null }, { a: 1, b: { 'any key': [] } }, { __proto__: 1 }])('can be %j', (variables) =>
    expect(variablesError(variables)).toBeUndefined(),
  );

  it.each([null, [], 'a', 1, true])('cannot be %j', (variables) =>
    expect(variablesError(variables)?.message).toBe('must be an object of keys and values'),
  );

  it('can have at most 64 levels', () => {
    expect(variablesError({ a: nested(64) })).toBeUndefined();
    expect(variablesError({ a: nested(65) })?.message).toContain('deeper than 64');
    expect(variablesError({ a: { b: nested(63) } })).toBeUndefined();
    expect(variablesError({ a: { b: nested(64) } })?.message).toContain('deeper than 64');
  });

  it('are rejected without deep recursion', () => {
    expect(variablesError({ a: nested(5_000) })?.message).toContain('deeper than 64');
  });
});
