import { labelNameError, parseLabelNames, labelNamesError } from '../../src/labels/label-names';

describe('the name of a label', () => {
  it.each(['a', 'role:x@eqiad', 'a b', '"', "'", '\\', '😀', 'ß'])('can be %j', (name) =>
    expect(labelNameError(name)).toBeUndefined(),
  );

  it.each([
    '',
    ' ',
    ' a',
    'a\u200b',
    'a,b',
    ',',
    'a\n',
    '\t',
    '\u0000',
    '\u007f',
    '\u0085',
    '\ud800',
    1,
    null,
    ['a'],
  ])('cannot be %j', (name) => expect(labelNameError(name)?.message).toEqual(expect.any(String)));

  it.each(['a', '😀'])('has at most 255 characters, such as %s', (character) => {
    expect(labelNameError(character.repeat(255))).toBeUndefined();
    expect(labelNameError(character.repeat(256))?.message).toContain('255');
  });
});

describe('the labels of a resource', () => {
  it('are names joined by commas, or an array of them', () => {
    expect(parseLabelNames('a,b')).toEqual(['a', 'b']);
    expect(parseLabelNames('')).toEqual([]);
    expect(parseLabelNames(['a', 'b'])).toEqual(['a', 'b']);
  });

  it.each([['a,,b'], ['a,'], [['a', '']], [['a', 1]], [null], [7], [{ a: 1 }]])('are not %j', (labels) =>
    expect(labelNamesError(parseLabelNames(labels))?.message).toEqual(expect.any(String)),
  );
});
