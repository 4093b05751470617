import { oneLineError, toOneLine } from '../../src/core/text';

describe('a name of one line', () => {
  it.each(['web-1', 'größer', 'a b', '猫', '😀', 'مضيف', '"', "it's"])('can be %j', (name) => {
    expect(oneLineError(name)).toBeUndefined();
  });

  it.each([
    ['\u200b', 'U+200B'],
    ['\ufeff', 'U+FEFF'],
    ['\u202e', 'U+202E'],
    ['\u2066', 'U+2066'],
    ['\u00ad', 'U+00AD'],
    ['\u034f', 'U+034F'],
    ['\u3164', 'U+3164'],
    ['\ufe0f', 'U+FE0F'],
    ['\u2028', 'U+2028'],
    ['\u2800', 'U+2800'],
    ['\u{e0041}', 'U+E0041'],
  ])('does not contain %j, anywhere', (character, name) => {
    for (const text of [character, `a${character}`, `${character}a`, `a${character}b`])
      expect(oneLineError(text)).toBe(
        `must not contain invisible or bidirectional characters, such as ${name}`,
      );
    expect(toOneLine(`a${character}b`)).toBe('ab');
  });

  it.each([' a', 'a ', '\u00a0', 'a\u3000', '\u2003a', ' '])(
    'does not begin or end with white space: %j',
    (text) => {
      expect(oneLineError(text)).toBe('must not begin or end with white space');
      expect(['a', '']).toContain(toOneLine(text));
    },
  );

  it.each(['a\n', '\t', 'a\u0000b', '\u007f', '\u0085'])(
    'does not contain control characters: %j',
    (text) => {
      expect(oneLineError(text)).toBe('must not contain control characters');
    },
  );
});
