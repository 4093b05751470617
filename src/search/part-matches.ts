import { arrayParameter, raw, sql, type Sql } from '../database/sql';
import {
  containsFolded,
  containsIgnoringCase,
  foldOnce,
  from,
  NO_VALUE_HASH,
} from '../database/resource-sql';
import { anyDeviceMapping } from '../devices/device-kind';
import { deviceKindNames } from '../devices/device-kinds';
import { canSeeRecord } from '../history/visible-change';
import { changeMatchesOf, matchesOf, type Search, settingKeys } from './match-statement';
import type { SearchPart } from './search-query';
import { LEVELS } from './searched-kinds';
import { VALUE } from './value-matches';

/** No index finds a part of a value, or of a reason. So much is read of each variable, of all of them, and of the changes. */
const MAX_VALUES_OF_KEY = 1_000;
const MAX_LONG_VALUES_OF_KEY = 20;
const MAX_VALUES = 10_000;
const MAX_DOCUMENTS_OF_KEY = 100;
const MAX_DOCUMENTS = 500;
const MAX_CHANGES = 1_000;

/** How many resources with one of the values are read, and with any of them. */
const MAX_OWNERS_OF_VALUE = 20;
const MAX_OWNERS = 500;

const constant = (value: number): Sql => raw(String(value));

/**
 * The variables in which `valuePartMatches` looks, as common table expressions: those with a value that contains the text, and the first ones
 * with an array or an object. Only what the caller may see counts towards the limits.
 */
export function partOwners(search: Search, { text, mac }: SearchPart): Sql {
  const { projectId } = search;
  const hasPart =
    mac === undefined
      ? containsFolded(sql`w.folded`, foldOnce(text))
      : // Most values do not have these digits in this order, and LIKE takes a tenth of the time.
        sql`w.folded LIKE ${mac.like} AND w.folded ~ ${mac.regex}`;
  const ofKey = sql`w.project_id = ${projectId} AND w.key = k.key`;
  return sql`part_key AS MATERIALIZED (${settingKeys(search)}),
    part_value AS MATERIALIZED (
      SELECT w.key, w.value_hash FROM (
        SELECT v.* FROM (SELECT DISTINCT k.key FROM part_key k ORDER BY k.key) k CROSS JOIN LATERAL (
          (SELECT w.key, w.value_hash, w.folded FROM variable_values w WHERE ${ofKey} AND w.folded IS NOT NULL
            ORDER BY w.folded LIMIT ${constant(MAX_VALUES_OF_KEY)})
          UNION ALL (SELECT w.key, w.value_hash, NULL FROM variable_values w WHERE ${ofKey} AND w.is_long
            LIMIT ${constant(MAX_LONG_VALUES_OF_KEY)})) v LIMIT ${constant(MAX_VALUES)}) w
      WHERE w.folded IS NULL OR ${hasPart}),
    part_owner AS MATERIALIZED (
      (SELECT k.kind, c.object_id, k.key FROM part_value w JOIN part_key k ON k.key = w.key CROSS JOIN LATERAL (
          SELECT c.object_id FROM variable_correlations c
          WHERE c.project_id = ${projectId} AND c.object_type = k.kind AND c.value_hash = w.value_hash
            AND c.value_hash <> ${NO_VALUE_HASH}
          ORDER BY c.object_id LIMIT ${constant(MAX_OWNERS_OF_VALUE)}) c LIMIT ${constant(MAX_OWNERS)})
      UNION
      -- The planner would drop ORDER BY after an equality, and could read the table in the hope of early matches.
      (SELECT k.kind, c.object_id, k.key FROM part_key k CROSS JOIN LATERAL (
          SELECT c.object_id FROM variable_correlations c
          WHERE c.project_id = ${projectId} AND c.key = k.key AND c.object_type BETWEEN k.kind AND k.kind
            AND c.value_hash = ${NO_VALUE_HASH}
          ORDER BY c.object_type LIMIT ${constant(MAX_DOCUMENTS_OF_KEY)}) c LIMIT ${constant(MAX_DOCUMENTS)}))`;
}

/** Regions, cells, labels and devices with a text in a variable, at any depth, that contains the text. They need `partOwners`. */
export const valuePartMatches = (search: Search, { text, mac }: SearchPart): Sql[] => {
  const { projectId, query } = search;
  const likeRegex = `@ like_regex ${JSON.stringify(mac?.regex ?? text)} flag "${mac ? 'i' : 'iq'}"`;
  // A whole value within a document, which no index finds for a caller who does not see everything.
  const isPart = [likeRegex, ...query.values.map((value) => `@ == ${value}`)].join(' || ');
  return [anyDeviceMapping, ...LEVELS].map((mapping) => {
    const kinds = mapping === anyDeviceMapping ? deviceKindNames : [mapping.kind];
    return matchesOf(search, mapping, {
      ...VALUE,
      match: sql`'substring'`,
      source: sql`FROM part_owner o CROSS JOIN LATERAL (
          SELECT t.* ${from(mapping)} WHERE t.project_id = ${projectId} AND t.id = o.object_id OFFSET 0) t
        CROSS JOIN LATERAL (SELECT o.key,
          jsonb_path_query_first(t.variables -> o.key, ${`$.** ? (${isPart})`}::jsonpath, '{}', true) #>> '{}' AS matched) e`,
      condition: sql`o.kind = ANY(${arrayParameter(kinds)}::text[]) AND e.matched IS NOT NULL`,
      order: sql`ORDER BY t.id, e.key`,
    });
  });
};

/** Of the newest changes, those whose reason contains the text, newest first. */
export const reasonMatches = (search: Search, { text }: SearchPart): Sql[] =>
  search.ctx.isRestricted === true
    ? []
    : [
        changeMatchesOf(
          search,
          sql`'substring'`,
          sql`'reason'`,
          sql`FROM (SELECT t.* FROM changes t WHERE t.project_id = ${search.projectId} ORDER BY t.id DESC
              LIMIT ${constant(MAX_CHANGES)}) t
            WHERE ${containsIgnoringCase(sql`t.reason`, text)} AND ${canSeeRecord(search.ctx)} ORDER BY t.id DESC`,
        ),
      ];
