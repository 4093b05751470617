import { parseEntityTags } from '../../src/http/entity-tag';

describe('parseEntityTags', () => {
  it.each<[header: string, tags: string[] | undefined]>([
    ['"3"', ['"3"']],
    [' "3" , W/"4-a,b" ,, "c17"\t', ['"3"', 'W/"4-a,b"', '"c17"']],
    ['""', ['""']],
    ['', undefined],
    [' , ,', undefined],
    ['3', undefined],
    ['"3" "4"', undefined],
    ['"3', undefined],
  ])('%j', (header, tags) => {
    expect(parseEntityTags(header)).toEqual(tags);
  });

  it('compares each blank once: a header of a million blanks would take hours otherwise', () => {
    const blanks = ' '.repeat(1_000_000);
    expect(parseEntityTags(`,${blanks}x`)).toBeUndefined();
    expect(parseEntityTags(`${blanks}"3"${blanks},${blanks}"4"`)).toEqual(['"3"', '"4"']);
  });
});
