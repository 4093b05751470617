import { labelNameFault, labelNames, labelNamesFault } from '../../src/labels/label-names';

describe('the name of a label', () => {
  it.each(['a', 'role:x@eqiad', ' ', 'a b', '"', "'", '\\', '😀', 'ß'])('can be %j', (name) =>
    expect(labelNameFault(name)).toBeUndefined(),
  );

  it.each(['', 'a,b', ',', 'a\n', '\t', '\u0000', '\u007f', '\u0085', '\ud800', 1, null, ['a']])(
    'cannot be %j',
    (name) => expect(labelNameFault(name)).toEqual(expect.any(String)),
  );

  it.each(['a', '😀'])('has at most 255 characters, such as %s', (character) => {
    expect(labelNameFault(character.repeat(255))).toBeUndefined();
    expect(labelNameFault(character.repeat(256))).toContain('255');
  });
});

describe('the labels of a resource', () => {
  it('are names joined by commas, or an array of them', () => {
    expect(labelNames('a,b')).toEqual(['a', 'b']);
    expect(labelNames('')).toEqual([]);
    expect(labelNames(['a', 'b'])).toEqual(['a', 'b']);
  });

  it.each([['a,,b'], ['a,'], [['a', '']], [['a', 1]], [null], [7], [{ a: 1 }]])('are not %j', (labels) =>
    expect(labelNamesFault(labelNames(labels))).toEqual(expect.any(String)),
  );
});
