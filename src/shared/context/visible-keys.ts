import { list, sql, type Sql } from '../persistence/sql';
import type { KeyPatterns } from './key-patterns';
import type { Visibility } from './visibility';

/** Whether the key that a text expression gives may be seen: `Visibility.sees`, asked by the database. */
export function isVisible(visibility: Visibility, key: Sql): Sql {
  if (visibility.isWhole) return sql`true`;
  return sql`(NOT ${covers(visibility.hidden, key)} OR ${covers(visibility.granted, key)})`;
}

const covers = ({ exact, prefixes }: KeyPatterns, key: Sql): Sql =>
  sql`(${key} = ANY(${list(exact)}::text[])
    OR EXISTS (SELECT FROM unnest(${list(prefixes)}::text[]) AS p (prefix) WHERE starts_with(${key}, p.prefix)))`;
