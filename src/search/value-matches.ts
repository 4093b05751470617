import { from, hasNestedValue, isVisible, mayHaveMatch } from '../database/resource-sql';
import { arrayParameter, sql, type Sql } from '../database/sql';
import { anyDeviceMapping } from '../devices/device-kind';
import { deviceKindNames } from '../devices/device-kinds';
import { matchesOf, probedDevices, type Search, settingKeys } from './match-statement';
import { LEVELS } from './searched-kinds';

/** The maximum number of keys whose values are searched on devices. The time of PostgreSQL grows with its square. */
const MAX_DEVICE_KEYS = 500;

/**
 * The jsonpath that `deviceValueMatches` needs, as a common table expression. The index of documents finds a value only
 * together with its key, so the path has all keys that devices set.
 */
export const devicePath = (search: Search): Sql => sql`device_path AS MATERIALIZED (
  SELECT ('$ ? (' || string_agg('exists(@.' || to_json(k.key) || ${comparison(search)}::text || ')', ' || ')
    || ')')::jsonpath AS path
  FROM (SELECT DISTINCT k.key FROM (${settingKeys(search)}) k
    WHERE k.kind = ANY(${arrayParameter(deviceKindNames)}::text[]) ORDER BY k.key LIMIT ${MAX_DEVICE_KEYS}) k)`;

/** Devices that set a variable to a value that is written like the text. Devices that inherit it do not match. */
export const deviceValueMatches = (search: Search): Sql =>
  matchesOf(search, anyDeviceMapping, {
    ...VALUE,
    source: sql`${probedDevices(search, sql`t.variables @? (SELECT path FROM device_path)`)}
      CROSS JOIN LATERAL ${matchingVariable(search, anyDepth(search))}`,
  });

/** Regions, cells and labels that do. Each search reads all their documents, so it must be worth it. */
export const levelValueMatches = (search: Search): Sql[] =>
  search.query.part === undefined
    ? []
    : LEVELS.map((mapping) =>
        matchesOf(search, mapping, {
          ...VALUE,
          source: sql`${from(mapping)} CROSS JOIN LATERAL ${matchingVariable(search, anyDepth(search))}`,
          condition: mayHaveMatch(search.ctx.visibility, hasAnywhere(search)),
          order: sql`ORDER BY t.id`,
        }),
      );

export const VALUE = {
  match: sql`'value'`,
  member: sql`'variables'`,
  key: sql`e.key`,
  matched: sql`e.matched`,
};

/** The first variable `e` of `t` that matches and that the caller may see, with the scalar that matches. */
const matchingVariable = (
  { ctx }: Search,
  path: string,
): Sql => sql`(SELECT e.key, jsonb_path_query_first(e.value, ${path}::jsonpath, '{}', true) #>> '{}' AS matched
  FROM jsonb_each(t.variables) AS e (key, value)
  WHERE jsonb_path_exists(e.value, ${path}::jsonpath, '{}', true) AND ${isVisible(ctx.visibility, sql`e.key`)}
  ORDER BY e.key COLLATE "C" LIMIT 1) e`;

/** The scalars that are written like the text, at any depth. */
const anyDepth = (search: Search): string => `$.** ${comparison(search)}`;

/**
 * Whether a document has such a scalar at any depth. PostgreSQL compares a sequence in half of the time that it takes to filter
 * each item of it.
 */
const hasAnywhere = ({ query }: Search): string =>
  `$ ? (${query.values.map((value) => `@.** == ${value}`).join(' || ')})`;

/** A filter of a jsonpath. It has the meaning of a `vars` filter, in which an element of an array matches, too. */
const comparison = ({ query }: Search): string =>
  `? (${query.values.map((value) => `@ == ${value}`).join(' || ')})`;

/**
 * Devices that have a scalar that is written like the text within a document. The index contains the values of hidden variables,
 * too: the time, and which matches the limit leaves, would tell whether one of them has the value.
 */
export const nestedValueMatches = (search: Search): Sql[] =>
  search.ctx.visibility.seesEverything
    ? search.query.values.map((value) =>
        matchesOf(search, anyDeviceMapping, {
          ...VALUE,
          source: sql`${probedDevices(search, hasNestedValue(value))}
            CROSS JOIN LATERAL ${matchingVariable(search, anyDepth(search))}`,
        }),
      )
    : [];
