import { parseFilters } from '../../src/variables/filter/vars-parser';
import { parseCondition } from '../../src/variables/filter/where-parser';
import type { Source } from '../../src/lists/selection';
import type { FilterLevel } from '../../src/variables/filter/filter-levels';
import { type FilterPlan, NO_MATCHES, planFilters } from '../../src/variables/filter/filter-plan';

const scope = { project: '717e9a21-6e2d-44e0-bc84-8398563bda06' };
const list = {
  inheritance: { region: 't.region_id', labels: { table: 'device_labels', owner: 'device_id' } },
  kind: 'host',
  scope,
  inBlocks: true,
  hidesKeys: false,
};

const region = (id: number, value: boolean) => ({
  ...{ kind: 'region' as const, name: '', region_id: null },
  ...{ project_id: scope.project, id, value },
});

/**
 * Plans filters by variables that devices and the regions 1 and 2 set.
 * @param owners how many devices have the value of each filter
 */
function planned(
  text: string,
  hasScalarsOnly = true,
  regions: readonly boolean[][] = [],
  owners: readonly number[] = [],
  labels: readonly FilterLevel[] = [],
) {
  const filters = parseFilters(text).map((filter, i) => ({
    ...{
      filter,
      matchesUnset: false,
      cells: [],
      labels,
      own: [scope.project],
      hasScalarsOnly,
      isRareKey: false,
      estimatedOwners: owners[i],
    },
    regions: (regions[i] ?? []).map((value, id) => region(id, value)),
  }));
  return planFilters(filters, list);
}

const HAS_ARRAYS = 'v.value_hash = 0';

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

  it('are incomplete if a value has become an array since the levels were read', () => {
    for (const text of ['os:"a",role:"b"', 'os:"a",tags[*]:"b"'])
      expect(candidatesOf(planned(text))?.query.text).toContain(HAS_ARRAYS);
  });

  it.each<[string, string, readonly number[], readonly string[], string]>([
    ['the rarest value', 'a:1,b:2', [4000, 300], ['2', '1'], 'few'],
    ['no value that too many have', 'a:1,b:2', [16_385, 4096], ['2'], 'few'],
    ['a value that many have, if no other is rarer', 'a:1,b:2', [16_384, 20_000], ['1'], 'unknown'],
    ['an element that any number of devices may have', 'a:1,b[*]:2', [10], ['1'], 'few'],
    ['a value without an estimate', 'a:1,b[*]:2', [], ['1'], 'unknown'],
  ])('begin with %s', (_, text, owners, values, size) => {
    const candidates = candidatesOf(planned(text, true, [], owners));
    const read = candidates?.query.values.filter((value) => value === '1' || value === '2');
    expect([...new Set(read)]).toEqual(values);
    expect(candidates?.size).toBe(size);
  });

  it('are probably too many if each value is inherited from labels, too', () => {
    const label = { ...region(7, true), kind: 'label' as const, name: 'web' };
    expect(candidatesOf(planned('a:1,b:2', true, [], [10, 20], [label]))?.size).toBe('many');
  });

  it('are not read if many devices have each value', () => {
    expect(candidatesOf(planned('a:1,b:2', true, [], [16_385, 16_385]))).toBeUndefined();
  });

  it('are not read otherwise', () => {
    expect(candidatesOf(planned('os:"a"'))).toBeUndefined();
    expect(candidatesOf(planned('os:"a",role:"b"', false))).toBeUndefined();
    expect(candidatesOf(planned('os[*]:"a",tags[*]:"b"'))).toBeUndefined();
    expect(candidatesOf(planned('os:"a",role:"b"', true, [[true], [true]]))).toBeUndefined();
  });
});

describe('a comparison of own values', () => {
  const planWhere = (text: string, hasScalarsOnly = true, regions: readonly boolean[] = []) =>
    planFilters(
      [
        {
          ...{ filter: parseCondition(text), matchesUnset: text.endsWith('missing') },
          ...{
            cells: [],
            labels: [],
            own: [scope.project],
            hasScalarsOnly,
            isRareKey: false,
            estimatedOwners: undefined,
          },
          regions: regions.map((value, id) => region(id, value)),
        },
      ],
      list,
    );
  const plannedWhere = (text: string, hasScalarsOnly = true, regions: readonly boolean[] = []) => {
    const { selection } = planWhere(text, hasScalarsOnly, regions);
    if (selection.kind !== 'filtered') throw new Error(`the selection is of the kind ${selection.kind}`);
    const kinds = (sources: readonly Source[] | undefined) => sources?.map(({ kind }) => kind).join(', ');
    return {
      candidates: selection.candidates !== undefined,
      inIdOrder: kinds(selection.inIdOrder),
      byValues: kinds(selection.byValues),
      sources: kinds(selection.paths[0].sources),
    };
  };
  const byValues = { candidates: true, inIdOrder: undefined, byValues: 'values' };
  const inOrder = { candidates: false, inIdOrder: undefined, byValues: undefined, sources: 'table' };

  it.each([
    ['os >= "a"', { ...byValues, sources: 'table' }],
    ['os != "a"', { ...byValues, sources: 'table' }],
    ['os ^= "a"', { ...byValues, sources: 'table' }],
    ['os in ["a", 1]', { ...byValues, sources: 'blocks' }],
    ['os = "a"', { ...inOrder, inIdOrder: 'look up', sources: 'blocks' }],
    ['os exists', { ...inOrder, inIdOrder: 'look up', sources: 'join' }],
    ['os missing', inOrder],
    ['os.name ~= "a"', inOrder],
  ])('is planned: %s', (text, expected) => {
    expect(plannedWhere(text)).toEqual(expected);
  });

  it('is incomplete if a value has become an array since the levels were read', () => {
    const isIncomplete = (text: string) => {
      const { selection } = planWhere(text);
      const found = selection.kind === 'filtered' ? (selection.byValues ?? selection.inIdOrder) : undefined;
      return found?.flatMap((source) => ('isIncomplete' in source ? (source.isIncomplete?.text ?? '') : []));
    };
    expect(isIncomplete('os = "a"')).toEqual([expect.stringContaining(HAS_ARRAYS)]);
    expect(isIncomplete('os >= "a"')).toEqual([expect.stringContaining(HAS_ARRAYS)]);
    expect(isIncomplete('os exists')).toEqual(['']);
  });

  it('is read in the order of the list if arrays may match', () => {
    expect(plannedWhere('os >= "a"', false)).toEqual(inOrder);
  });

  it('has no candidates if a region matches', () => {
    expect(plannedWhere('os >= "a"', true, [true])).toEqual({
      ...{ ...byValues, candidates: false },
      ...{ byValues: 'values, table', sources: 'table, table' },
    });
  });
});
