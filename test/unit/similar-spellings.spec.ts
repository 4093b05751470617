import { similarSpellings } from '../../src/core/similar-spellings';

describe('similarSpellings', () => {
  it.each([
    ['web-1', ['WEB-1', 'Web-1']],
    ['10.1.0.2', []],
    ['Web-1', ['web-1', 'WEB-1']],
    ['猫', []],
  ])('of %s are few', (name, spellings) => {
    expect(similarSpellings(name).sort()).toEqual([...spellings].sort());
  });

  it.each([
    ['caf\u00e9', 'cafe\u0301'],
    ['cafe\u0301', 'caf\u00e9'],
    ['ｗｅｂ', 'web'],
    ['сору', 'copy'],
    ['a\u2011b', 'a-b'],
    ['ﬁle', 'file'],
    ['ÜBER', 'über'],
  ])('of %s include %s', (name, spelling) => {
    expect(similarSpellings(name)).toContain(spelling);
    expect(similarSpellings(name)).not.toContain(name);
    expect(similarSpellings(name).length).toBeLessThan(17);
  });
});
