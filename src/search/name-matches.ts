import { containsFolded, containsIgnoringCase, foldOnce, isLikeIgnoringCase } from '../database/resource-sql';
import { raw, sql, type Sql } from '../database/sql';
import { anyDeviceMapping } from '../devices/device-kind';
import { prefixRange } from '../lists/list-filter';
import { distinctKeys, IS_IN_INVENTORY } from '../variable-keys/variable-keys.service';
import {
  keyMatchesOf,
  matchesOf,
  nameColumn,
  probedDevices,
  type Search,
  settingKeys,
} from './match-statement';
import { namedKinds } from './searched-kinds';

/** Resources whose name begins with the text. The name that equals it is the first of them. */
export const prefixMatches = (search: Search): Sql[] =>
  namedKinds(search.ctx).map((mapping) => {
    const name = nameColumn(mapping);
    return matchesOf(search, mapping, {
      match: exactOrPrefix(name, search.query.text),
      member: sql`${mapping.nameField}`,
      condition: prefixRange(name, search.query.text),
      order: sql`ORDER BY ${name}`,
    });
  });

const exactOrPrefix = (name: Sql, text: string): Sql =>
  sql`CASE WHEN ${name} = ${text} THEN 'exact' ELSE 'prefix' END`;

/** Keys of variables that begin with the text. */
export function keyMatches(search: Search): Sql {
  const { ctx, projectId, query } = search;
  const isSet = sql`EXISTS (SELECT FROM variable_correlations t
    WHERE t.project_id = ${projectId} AND t.key = k.key AND ${raw(IS_IN_INVENTORY)})`;
  return keyMatchesOf(
    search,
    exactOrPrefix(sql`k.key`, query.text),
    sql`FROM (SELECT ${projectId}::uuid AS project_id) s
      CROSS JOIN LATERAL (${distinctKeys(ctx, [prefixRange(sql`t.key`, query.text)], false)}) k WHERE ${isSet}`,
  );
}

/** Names that contain the text, in upper or lower case, but do not begin with it. */
export function substringMatches(search: Search): Sql[] {
  const { text } = search.query;
  const isOther = (name: Sql) => sql`NOT ${prefixRange(name, text)}`;
  const contains = (name: Sql) => sql`${containsIgnoringCase(name, text)} AND ${isOther(name)}`;
  const numbers = numbersIn(text);
  const match = sql`'substring'`;
  const resources = namedKinds(search.ctx).map((mapping) => {
    const name = nameColumn(mapping);
    const matching = { match, member: sql`${mapping.nameField}` };
    return mapping === anyDeviceMapping
      ? matchesOf(search, mapping, {
          ...matching,
          source: probedDevices(
            search,
            contains(name),
            numbers === undefined
              ? undefined
              : {
                  indexed: isLikeIgnoringCase(name, `%${numbers}%`),
                  // The index is not searched for it. Of a pattern, the planner would expect so few matches that it would plan the
                  // statement for each execution, which took a seventh of the time.
                  recheck: sql`${containsFolded(sql`fold_case(${name})`, foldOnce(text))} AND ${isOther(name)}`,
                },
          ),
        })
      : matchesOf(search, mapping, { ...matching, condition: contains(name), order: sql`ORDER BY ${name}` });
  });
  const keys = sql`FROM (SELECT DISTINCT k.key FROM (${settingKeys(search)}) k) k
    WHERE ${contains(sql`k.key`)} ORDER BY k.key`;
  return [...resources, keyMatchesOf(search, match, keys)];
}

/**
 * A pattern of the words with digits, with any text between them, if one has a trigram: `cell-07-host-0123` is `07%0123`. The
 * index reads a list for each trigram. Those of other words, and of the beginnings of words, are as long as a fleet with names
 * like that, and the numbers tell the devices apart.
 * @returns undefined if all words have digits, or none has a trigram
 */
function numbersIn(text: string): string | undefined {
  const words = text.match(/[\da-z]+/gi) ?? [];
  const numbers = words.filter((word) => /\d/.test(word));
  return numbers.length < words.length && numbers.some((word) => word.length > 2)
    ? numbers.join('%')
    : undefined;
}
