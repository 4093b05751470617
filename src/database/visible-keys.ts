import { list, sql, type Sql } from './sql';
import type { KeyPatterns } from '../core/context/key-patterns';
import type { Visibility } from '../core/context/visibility';

/** Whether the key that a text expression gives may be seen: `Visibility.sees`, asked by the database. */
export function isVisible(visibility: Visibility, key: Sql): Sql {
  if (visibility.isWhole) return sql`true`;
  return sql`(NOT ${covers(visibility.hidden, key)} OR ${covers(visibility.granted, key)})`;
}

/**
 * Whether it may be told that somebody named the key, or the prefix followed by `*`, that a text expression gives: all
 * that it has in common with what the project hides may be seen.
 */
export function isVisiblePattern(visibility: Visibility, pattern: Sql): Sql {
  if (visibility.isWhole) return sql`true`;
  const { hidden, granted } = visibility;
  const prefix = sql`left(${pattern}, -1)`;
  const hiddenKeys = hidden.exact.filter((key) => !granted.covers(key));
  // Of two prefixes with keys in common one begins with the other, and what they have in common begins with that one.
  const common = sql`CASE WHEN starts_with(h.prefix, ${prefix}) THEN h.prefix
    WHEN starts_with(${prefix}, h.prefix) THEN ${prefix} END`;
  return sql`CASE WHEN ${pattern} NOT LIKE '%*' THEN ${isVisible(visibility, pattern)}
    ELSE NOT EXISTS (SELECT FROM unnest(${list(hiddenKeys)}::text[]) AS h (key) WHERE starts_with(h.key, ${prefix}))
      AND NOT EXISTS (SELECT FROM unnest(${list(hidden.prefixes)}::text[]) AS h (prefix)
        WHERE ${common} IS NOT NULL AND NOT ${beginsWithOne(granted.prefixes, common)}) END`;
}

const covers = ({ exact, prefixes }: KeyPatterns, key: Sql): Sql =>
  sql`(${key} = ANY(${list(exact)}::text[]) OR ${beginsWithOne(prefixes, key)})`;

const beginsWithOne = (prefixes: readonly string[], text: Sql): Sql =>
  sql`EXISTS (SELECT FROM unnest(${list(prefixes)}::text[]) AS p (prefix) WHERE starts_with(${text}, p.prefix))`;
