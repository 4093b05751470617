import { typesOfKeys } from '../../src/database/variable-values';

describe('the query for the types of values', () => {
  it('reads a thousand values of each type in the order of its index, so that the planner does not read the table', () => {
    const text = typesOfKeys('p', ['host'], ['a']).text.replaceAll(/\s+/g, ' ');
    for (const column of ['w.text', 'w.number'])
      expect(text).toContain(`AND ${column} IS NOT NULL ORDER BY ${column} LIMIT 1000) v`);
  });
});
