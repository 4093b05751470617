import { sql } from '../../src/database/sql';
import { matchesFilter } from '../../src/variables/filter/document-test';
import { parseCondition } from '../../src/variables/filter/where-parser';

describe('a comparison of a text', () => {
  it.each(['kernel < "6.12"', 'kernel >= "6.12"', 'serial ~= "mx"', 'a.b[*].c ~= "x"'])(
    'refers to the document once, which PostgreSQL would decompress each time: %s',
    (text) => {
      const { text: statement } = matchesFilter(parseCondition(text), sql`t.variables`);
      expect(statement.match(/t\.variables/g)).toHaveLength(1);
    },
  );
});
