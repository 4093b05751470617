import { sql } from '../../src/database/sql';
import { matchingValues } from '../../src/variables/filter/matching-values';
import { parseCondition } from '../../src/variables/filter/where-parser';

/** The query of a condition in one line, with its parameters in place. */
function queryOf(condition: string): string | undefined {
  const query = matchingValues(parseCondition(condition), sql`p.id`, 3);
  return query?.text
    .replaceAll(/\$(\d+)/g, (_, n) => JSON.stringify(query.values[Number(n) - 1]))
    .replaceAll(/\s+/g, ' ')
    .replaceAll(
      'SELECT w.value_hash FROM variable_values w WHERE w.project_id = p.id AND w.key = (SELECT "k"::text) AND',
      'VALUES',
    )
    .replaceAll(/COALESCE\(jsonb_hash_extended\((.*?), hashtextextended\("k"::text, 0\)\), 0\)/g, 'hash($1)');
}
const LONG = ' UNION ALL (VALUES w.is_long ORDER BY w.key LIMIT 3)';

describe('the values that meet a condition', () => {
  it.each([
    [
      'k != -7',
      '(VALUES (w.value_hash <> hash("-7"::jsonb) OR w.is_long OR w.number IS DISTINCT FROM "-7"::numeric ' +
        'OR w.text IS DISTINCT FROM null::text) ORDER BY w.value_hash LIMIT 3)',
    ],
    [
      'k != "7"',
      '(VALUES (w.value_hash <> hash("\\"7\\""::jsonb) OR w.is_long OR w.number IS DISTINCT FROM null::numeric ' +
        'OR w.text IS DISTINCT FROM "7"::text) ORDER BY w.value_hash LIMIT 3)',
    ],
    [
      'k != true',
      '(VALUES (w.value_hash <> hash("true"::jsonb) OR w.is_long OR w.number IS DISTINCT FROM null::numeric ' +
        'OR w.text IS DISTINCT FROM null::text) ORDER BY w.value_hash LIMIT 3)',
    ],
    ['k < 7.50', `(VALUES w.number < (SELECT "7.50"::numeric) ORDER BY w.number LIMIT 3)${LONG}`],
    [
      'k >= "6.12"',
      `(VALUES w.text >= (SELECT "6.12"::text) COLLATE natural_order ORDER BY w.text LIMIT 3)${LONG}`,
    ],
    [
      'k ~= "Ab"',
      `(VALUES strpos(w.folded, (SELECT fold_case("Ab"::text))) > 0 ORDER BY w.folded LIMIT 3)${LONG}`,
    ],
    [
      'k ^= "Ab"',
      `(VALUES (w.folded >= "ab" AND w.folded < "ac") AND starts_with(w.text, "Ab") ORDER BY w.folded LIMIT 3)${LONG}`,
    ],
    [
      'k ^= "Aß"',
      `(VALUES (w.folded >= "a" AND w.folded < "b") AND starts_with(w.text, "Aß") ORDER BY w.folded LIMIT 3)${LONG}`,
    ],
    ['k ^= ""', `(VALUES w.folded >= "" AND starts_with(w.text, "") ORDER BY w.folded LIMIT 3)${LONG}`],
  ])('are read in the order of an index: %s', (condition, query) => {
    expect(queryOf(condition)).toBe(query);
  });

  it('are those of a list', () => {
    expect(queryOf('k in [1, "a"]')).toMatch(/^SELECT hash\(i\.value\) AS value_hash FROM unnest\(/);
  });

  it.each(['k = 7', 'k exists', 'k missing', 'k.a = 1', 'k[0] > 1', 'k.* ~= "a"'])(
    'do not tell of %s',
    (condition) => {
      expect(queryOf(condition)).toBeUndefined();
    },
  );
});
