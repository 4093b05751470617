import { parseFilters } from '../../src/variables/filter/filter-parser';
import { planFilters } from '../../src/variables/filter/filter-plan';

const scope = { project: '717e9a21-6e2d-44e0-bc84-8398563bda06' };
const list = {
  inheritance: { region: 't.region_id' },
  kind: 'host',
  scope,
  inBlocks: true,
  hidesKeys: false,
};

/** Plans filters by variables that devices and the regions 1 and 2 set. */
function planned(text: string, hasScalarsOnly = true, regions: readonly boolean[][] = []) {
  const filters = parseFilters(text).map((filter, i) => ({
    ...{ filter, path: '$', cells: [], labels: [], own: [scope.project], hasScalarsOnly, isRareKey: false },
    regions: (regions[i] ?? []).map((matches, id) => ({ project_id: scope.project, id, matches })),
  }));
  return planFilters(filters, list);
}

describe('two filters by one variable', () => {
  it.each([
    ['os:"a",os:"b"'],
    ['os:1,os:"1"'],
    ['os:1,os:1.5'],
    ['os:null,os:false'],
    ['role:"x",os:"a",os:"b"'],
  ])('match nothing if their values differ: %s', (text) => {
    expect(planned(text)).toEqual({ branches: [], conditions: [] });
  });

  it.each([
    ['of equal values', planned('cores:16,cores:16.0')],
    ['of a variable with arrays', planned('os:"a",os:"b"', false)],
    ['of elements', planned('os[*]:"a",os[*]:"b"')],
    ['of different variables', planned('os:"a",role:"b"')],
    ['of which a region matches both', planned('os:"a",os:"b"', true, [[true], [true]])],
  ])('can match both: %s', (_, { branches }) => {
    expect(branches).not.toEqual([]);
  });

  it('match nothing if each matches another region', () => {
    expect(
      planned('os:"a",os:"b"', true, [
        [true, false],
        [false, true],
      ]).branches,
    ).toEqual([]);
  });
});

describe('the candidates of combined filters', () => {
  it('are read from indexes if one of the filters compares scalars', () => {
    expect(planned('os:"a",role:"b"').candidates).toBeDefined();
    expect(planned('os:"a",tags[*]:"b"').candidates).toBeDefined();
  });

  it('are not read otherwise', () => {
    expect(planned('os:"a"').candidates).toBeUndefined();
    expect(planned('os:"a",role:"b"', false).candidates).toBeUndefined();
    expect(planned('os[*]:"a",tags[*]:"b"').candidates).toBeUndefined();
    expect(planned('os:"a",role:"b"', true, [[true], [true]]).candidates).toBeUndefined();
  });
});
