import { parseFilters } from '../../src/variables/filter/filter-parser';
import { type FilterPlan, NO_MATCHES, planFilters } from '../../src/variables/filter/filter-plan';

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
    ...{
      filter,
      matchesUnset: false,
      cells: [],
      labels: [],
      own: [scope.project],
      hasScalarsOnly,
      isRareKey: false,
    },
    regions: (regions[i] ?? []).map((value, id) => ({
      kind: 'region' as const,
      name: '',
      region_id: null,
      project_id: scope.project,
      id,
      value,
    })),
  }));
  return planFilters(filters, list);
}

const candidatesOf = ({ selection }: FilterPlan) =>
  selection.kind === 'filtered' ? selection.candidates : undefined;

describe('two filters by one variable', () => {
  it.each([
    ['os:"a",os:"b"'],
    ['os:1,os:"1"'],
    ['os:1,os:1.5'],
    ['os:null,os:false'],
    ['role:"x",os:"a",os:"b"'],
  ])('match nothing if their values differ: %s', (text) => {
    expect(planned(text)).toBe(NO_MATCHES);
  });

  it.each([
    ['of equal values', planned('cores:16,cores:16.0')],
    ['of a variable with arrays', planned('os:"a",os:"b"', false)],
    ['of elements', planned('os[*]:"a",os[*]:"b"')],
    ['of different variables', planned('os:"a",role:"b"')],
    ['of which a region matches both', planned('os:"a",os:"b"', true, [[true], [true]])],
  ])('can match both: %s', (_, plan) => {
    expect(plan).not.toBe(NO_MATCHES);
  });

  it('match nothing if each matches another region', () => {
    expect(
      planned('os:"a",os:"b"', true, [
        [true, false],
        [false, true],
      ]),
    ).toBe(NO_MATCHES);
  });
});

describe('the candidates of combined filters', () => {
  it('are read from indexes if one of the filters compares scalars', () => {
    expect(candidatesOf(planned('os:"a",role:"b"'))).toBeDefined();
    expect(candidatesOf(planned('os:"a",tags[*]:"b"'))).toBeDefined();
  });

  it('are not read otherwise', () => {
    expect(candidatesOf(planned('os:"a"'))).toBeUndefined();
    expect(candidatesOf(planned('os:"a",role:"b"', false))).toBeUndefined();
    expect(candidatesOf(planned('os[*]:"a",tags[*]:"b"'))).toBeUndefined();
    expect(candidatesOf(planned('os:"a",role:"b"', true, [[true], [true]]))).toBeUndefined();
  });
});
