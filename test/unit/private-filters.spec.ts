import { variableKeyError, Visibility } from '../../src/core/context/variable-keys';
import type { Queryable } from '../../src/database/database';
import { mayHaveMatch } from '../../src/database/resource-sql';
import type { Sql } from '../../src/database/sql';
import { readFilterLevels } from '../../src/variables/filter/filter-levels';
import { planFilters } from '../../src/variables/filter/filter-plan';
import { parseFilters } from '../../src/variables/filter/vars-parser';
import { parseCondition } from '../../src/variables/filter/where-parser';
import { formatCondition, searchableFilter } from '../../src/variables/filter/variable-filter';

const scope = { project: '717e9a21-6e2d-44e0-bc84-8398563bda06' };
const reader = new Visibility(['secret_key', 'vault_*'], ['vault_open']);

/** The inheritance of devices. */
const inheritance = {
  region: 't.region_id',
  cell: 't.cell_id',
  labels: { table: 'device_labels', owner: 'device_id' },
};

describe('a filter by a private variable', () => {
  const searchable = (text: string, visibility = reader) =>
    parseFilters(text).map((filter) => searchableFilter(filter, visibility));

  it('searches for a key that no resource can set, in the same way', () => {
    for (const path of ['secret_key', 'vault_door', 'secret_key.a[3].*', 'vault_door[*]."b-c"']) {
      const [filter] = searchable(`${path}:"x"`);
      if (!filter) throw new Error('the filter was not parsed');
      expect(variableKeyError(filter.key)).toBeDefined();
      const key = JSON.stringify(filter.key);
      expect(formatCondition(filter)).toBe(`${path.replace(/^\w+/, key)} = "x"`);
    }
  });

  it('is unchanged for a reader who sees the variable', () => {
    const text = 'vault_open.a:1';
    expect(searchable(text)).toEqual(parseFilters(text));
    const hidden = 'secret_key:1,vault_door:2';
    expect(searchable(hidden, Visibility.ALL)).toEqual(parseFilters(hidden));
  });

  it.each([
    ['hosts', 'host'],
    ['devices of all kinds', undefined],
  ])('makes the statements of a filter by a key that is not set, for %s', async (_, kind) => {
    /** The statements and the plan for a filter whose key is not set, without the key itself. */
    const made = async (key: string, rest: string) => {
      const statements: Sql[] = [];
      const on: Queryable = {
        rows: (statement) => {
          statements.push(statement);
          return Promise.resolve([]);
        },
      };
      const filters = rest.includes(':')
        ? searchable(`${key}${rest}`)
        : [searchableFilter(parseCondition(`${key}${rest}`), reader)];
      const levels = await readFilterLevels(on, filters, kind, ['region', 'cell', 'label'], scope);
      const plan = planFilters(
        // For several kinds, any device may set the key.
        levels.map((one) => ({ ...one, own: kind === undefined ? [scope.project] : [] })),
        { inheritance, kind, scope, inBlocks: true, hidesKeys: true },
      );
      // A key has quotes, which are escaped within a path.
      const quoted = new RegExp(`(\\\\*")${filters[0]?.key ?? ''}\\1`, 'g');
      const withoutKey = (value: unknown) => JSON.stringify(value).replace(quoted, '<key>');
      return [
        ...statements.map(({ text, values }) => ({ text, values: withoutKey(values) })),
        withoutKey(plan),
      ];
    };
    const conditions = [
      ' = 1',
      ' != "x"',
      ' < 1',
      ' >= "x"',
      ' ^= "x"',
      '.* ~= "x"',
      ' in [1, 2]',
      ' exists',
      '.a missing',
    ];
    for (const rest of [':1', '.a[*].b:"x"', '.*:null', ...conditions])
      expect(await made('secret_key', rest)).toEqual(await made('never_set', rest));
  });
});

describe('the index of the nested values of all variables', () => {
  const planned = (hidesKeys: boolean): string => {
    const [filter] = parseFilters('visible.*:"x"');
    if (!filter) throw new Error('the filter was not parsed');
    const own = { own: [scope.project], hasScalarsOnly: false, isRareKey: false, estimatedOwners: undefined };
    const levels = { filter, matchesUnset: false, regions: [], cells: [], labels: [], ...own };
    const list = { inheritance, kind: 'host', scope, inBlocks: true, hidesKeys };
    return JSON.stringify(planFilters([levels], list).selection);
  };

  it('is not read for a caller who may not see all of them', () => {
    expect(planned(false)).toContain('jsonb_path_query_array');
    expect(planned(true)).not.toContain('jsonb_path_query_array');
  });
});

describe('the search for values', () => {
  it('compares no whole document for a caller who may not see all of its variables', () => {
    expect(mayHaveMatch(Visibility.ALL, '$.*').values).toEqual(['$.*']);
    expect(mayHaveMatch(reader, '$.*')).toMatchObject({ text: 'true', values: [] });
  });
});

describe('the filter of changes by a private variable', () => {
  it('searches for a key that no change touched', () => {
    expect(variableKeyError(reader.keyOrUnmatchable('secret_key'))).toBeDefined();
    expect(reader.keyOrUnmatchable('vault_open')).toBe('vault_open');
    expect(reader.keyOrUnmatchable('never_set')).toBe('never_set');
  });
});
