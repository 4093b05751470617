import type { ProjectScope } from '../../src/core/context/request-context';
import type { Queryable } from '../../src/database/database';
import { readFilterLevels } from '../../src/variables/filter/filter-levels';
import { parseFilters } from '../../src/variables/filter/vars-parser';

describe('the levels that set the keys of filters', () => {
  const project = { project: '717e9a21-6e2d-44e0-bc84-8398563bda06' };

  it.each<[string, ProjectScope, string, boolean]>([
    ['several equalities in one project', project, 'os:"a",role:"b"', true],
    ['a single one', project, 'os:"a"', false],
    ['lists of every project, which read no candidates', 'every project', 'os:"a",role:"b"', false],
  ])('are read with an estimate of the owners: %s', async (_, scope, text, isEstimated) => {
    const statements: string[] = [];
    const on: Queryable = {
      rows: (statement) => {
        statements.push(statement.text);
        return Promise.resolve([]);
      },
    };
    await readFilterLevels(on, parseFilters(text), 'host', ['region'], scope);
    expect(statements).toHaveLength(1);
    expect(statements.join().includes('max(s.id) - min(s.id)')).toBe(isEstimated);
  });
});
