import { cellShape } from '../cells/cell';
import { from } from '../database/resource-sql';
import type { ResourceShape } from '../database/resource-shape';
import { arrayParameter, sql, type Sql } from '../database/sql';
import { isVisible } from '../database/visible-keys';
import { anyDeviceShape } from '../devices/device-kind';
import { deviceKinds } from '../devices/device-kinds';
import { labelShape } from '../labels/label';
import { regionShape } from '../regions/region';
import { matchesOf, type Search, probedDevices, settingKeys } from './matches';

/** The levels that devices inherit from. There are so few of them that their documents need no index. */
const LEVELS: readonly ResourceShape[] = [regionShape, cellShape, labelShape];

const DEVICE_KINDS = deviceKinds.map(({ shape }) => shape.kind);

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
    WHERE k.kind = ANY(${arrayParameter(DEVICE_KINDS)}::text[]) ORDER BY k.key LIMIT ${MAX_DEVICE_KEYS}) k)`;

/** Devices that set a variable to a value that is written like the text. Devices that inherit it do not match. */
export const deviceValueMatches = (search: Search): Sql =>
  matchesOf(search, anyDeviceShape, {
    ...VALUE,
    source: sql`${probedDevices(search, sql`t.variables @? (SELECT path FROM device_path)`)}
      CROSS JOIN LATERAL ${matchingVariable(search)}`,
  });

/** Regions, cells and labels that do. */
export const levelValueMatches = (search: Search): Sql[] =>
  LEVELS.map((shape) =>
    matchesOf(search, shape, {
      ...VALUE,
      source: sql`${from(shape)} CROSS JOIN LATERAL ${matchingVariable(search)}`,
      // Excludes most documents before their variables are read one by one.
      condition: sql`t.variables @? ${`$.* ${comparison(search)}`}::jsonpath`,
      order: sql`ORDER BY t.id`,
    }),
  );

const VALUE = { match: sql`'value'`, member: sql`'variables'`, key: sql`e.key` };

/** The first variable `e` of `t` that matches and that the caller may see. */
const matchingVariable = (
  search: Search,
): Sql => sql`(SELECT e.key FROM jsonb_each(t.variables) AS e (key, value)
  WHERE e.value @? ${`$ ${comparison(search)}`}::jsonpath AND ${isVisible(search.ctx.visibility, sql`e.key`)}
  ORDER BY e.key COLLATE "C" LIMIT 1) e`;

/** A filter of a jsonpath. It has the meaning of a `vars` filter, in which an element of an array matches, too. */
const comparison = ({ query }: Search): string =>
  `? (${query.values.map((value) => `@ == ${value}`).join(' || ')})`;
