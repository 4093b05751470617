import { arrayParameter, sql, type Sql } from './sql';
import type { KeyPatterns, Visibility } from '../core/context/variable-keys';

/** Whether a key, given by a text expression, is visible: `Visibility.sees` in SQL. */
export function isVisible(visibility: Visibility, key: Sql): Sql {
  if (visibility.seesEverything) return sql`true`;
  return sql`(NOT ${covers(visibility.hidden, key)} OR ${covers(visibility.granted, key)})`;
}

/**
 * Whether a key, or a prefix followed by `*`, given by a text expression, is visible: that is, whether the caller may
 * see all hidden keys that it covers.
 */
export function isVisiblePattern(visibility: Visibility, pattern: Sql): Sql {
  if (visibility.seesEverything) return sql`true`;
  const { hidden, granted } = visibility;
  const prefix = sql`left(${pattern}, -1)`;
  const hiddenKeys = hidden.exact.filter((key) => !granted.covers(key));
  // Two prefixes have common keys if one begins with the other. The longer one is the prefix of the common keys.
  const common = sql`CASE WHEN starts_with(h.prefix, ${prefix}) THEN h.prefix
    WHEN starts_with(${prefix}, h.prefix) THEN ${prefix} END`;
  return sql`CASE WHEN ${pattern} NOT LIKE '%*' THEN ${isVisible(visibility, pattern)}
    ELSE NOT EXISTS (SELECT FROM unnest(${arrayParameter(hiddenKeys)}::text[]) AS h (key) WHERE starts_with(h.key, ${prefix}))
      AND NOT EXISTS (SELECT FROM unnest(${arrayParameter(hidden.prefixes)}::text[]) AS h (prefix)
        WHERE ${common} IS NOT NULL AND NOT ${beginsWithOne(granted.prefixes, common)}) END`;
}

const covers = ({ exact, prefixes }: KeyPatterns, key: Sql): Sql =>
  sql`(${key} = ANY(${arrayParameter(exact)}::text[]) OR ${beginsWithOne(prefixes, key)})`;

const beginsWithOne = (prefixes: readonly string[], text: Sql): Sql =>
  sql`EXISTS (SELECT FROM unnest(${arrayParameter(prefixes)}::text[]) AS p (prefix) WHERE starts_with(${text}, p.prefix))`;
