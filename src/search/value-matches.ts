import { arrayParameter, sql, type Sql } from '../database/sql';
import { isVisible } from '../database/visible-keys';
import type { ResourceShape } from '../database/resource-shape';
import { from } from '../database/resource-sql';
import { cellShape } from '../cells/cell';
import { anyDeviceShape } from '../devices/device-kind';
import { deviceKinds } from '../devices/device-kinds';
import { labelShape } from '../labels/label';
import { regionShape } from '../regions/region';
import { matchesOf, type Search } from './matches';
import { probedDevices } from './probed-devices';
import { settingKeys } from './setting-keys';

/** The levels that devices inherit from. There are so few of them that their documents need no index. */
const LEVELS: readonly ResourceShape[] = [regionShape, cellShape, labelShape];

const DEVICE_KINDS = deviceKinds.map(({ shape }) => shape.kind);

/**
 * A variable `e` of `t` whose value is one of the searched scalars, or an array with one of them: the first one that the
 * caller may see.
 */
const matchingVariable = ({ ctx, query }: Search): Sql => sql`(
  SELECT e.key FROM jsonb_each(t.variables) AS e (key, value)
  WHERE e.value @? ${`$ ${comparison(query.values)}`}::jsonpath AND ${isVisible(ctx.visibility, sql`e.key`)}
  ORDER BY e.key LIMIT 1) e`;

/** A filter of a jsonpath. It has the meaning of `vars` filters. */
const comparison = (values: readonly string[]): string =>
  `? (${values.map((value) => `@ == ${value}`).join(' || ')})`;

/** Regions, cells and labels that set a variable to a value that is written like the text. */
export const levelValueMatches = (search: Search): Sql[] =>
  LEVELS.map((shape) =>
    matchesOf(search, shape, {
      ...VALUE,
      source: sql`${from(shape)} CROSS JOIN LATERAL ${matchingVariable(search)}`,
      condition: sql`t.variables @? ${`$.* ${comparison(search.query.values)}`}::jsonpath`,
      order: sql`ORDER BY t.id`,
    }),
  );

/** The same for devices. The index of documents finds a value only together with its key, so all keys are searched. */
export const deviceValueMatches = (search: Search): Sql =>
  matchesOf(search, anyDeviceShape, {
    ...VALUE,
    source: sql`${probedDevices(search, sql`t.variables @? (SELECT path FROM path)`)} CROSS JOIN LATERAL ${matchingVariable(search)}`,
  });

const VALUE = { match: sql`'value'`, member: sql`'variables'`, key: sql`e.key` };

/** The jsonpath that finds the values of all keys that devices set, as a table expression for `deviceValueMatches`. */
export const valuePath = (search: Search): Sql => sql`path AS MATERIALIZED (
  SELECT ('$ ? (' || string_agg('exists(@.' || to_json(k.key) || ${comparison(search.query.values)}::text || ')', ' || ')
    || ')')::jsonpath AS path
  FROM (SELECT DISTINCT k.key FROM (${settingKeys(search)}) k WHERE k.kind = ANY(${arrayParameter(DEVICE_KINDS)}::text[])) k)`;
