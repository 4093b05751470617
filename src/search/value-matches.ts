import { cellShape } from '../cells/cell';
import { from } from '../database/resource-sql';
import type { ResourceShape } from '../database/resource-shape';
import { arrayParameter, sql, type Sql } from '../database/sql';
import { isVisible } from '../database/visible-keys';
import { anyDeviceShape } from '../devices/device-kind';
import { deviceKinds } from '../devices/device-kinds';
import { labelShape } from '../labels/label';
import { regionShape } from '../regions/region';
import { matchesOf, type Search } from './matches';
import { probedDevices } from './probed-devices';
import { settingKeys } from './setting-keys';

/** The levels that devices inherit from. */
const LEVELS: readonly ResourceShape[] = [regionShape, cellShape, labelShape];

const DEVICE_KINDS = deviceKinds.map(({ shape }) => shape.kind);

/**
 * The jsonpaths that `valueMatches` needs, as a common table expression. Indexes of documents find a value only together
 * with its key, so there is a path for each kind, with all of its keys.
 */
export const valuePaths = (search: Search): Sql => sql`value_path AS MATERIALIZED (
  SELECT k.kind, ('$ ? (' || string_agg('exists(@.' || to_json(k.key) || ${comparison(search)}::text || ')', ' || ')
    || ')')::jsonpath AS path
  FROM (SELECT DISTINCT k.key, CASE WHEN k.kind = ANY(${arrayParameter(DEVICE_KINDS)}::text[])
      THEN ${anyDeviceShape.kind} ELSE k.kind END AS kind
    FROM (${settingKeys(search)}) k) k GROUP BY k.kind)`;

/** Resources that set a variable to a value that is written like the text. Devices that inherit it do not match. */
export function valueMatches(search: Search): Sql[] {
  const { ctx } = search;
  // One of several matching variables is shown.
  const matchingVariable = sql`(SELECT e.key FROM jsonb_each(t.variables) AS e (key, value)
    WHERE e.value @? ${`$ ${comparison(search)}`}::jsonpath AND ${isVisible(ctx.visibility, sql`e.key`)}
    ORDER BY e.key COLLATE "C" LIMIT 1) e`;
  return [...LEVELS, anyDeviceShape].map((shape) => {
    const isMatch = sql`t.variables @? (SELECT path FROM value_path WHERE kind = ${shape.kind})`;
    const isDevice = shape === anyDeviceShape;
    return matchesOf(search, shape, {
      match: sql`'value'`,
      member: sql`'variables'`,
      key: sql`e.key`,
      source: sql`${isDevice ? probedDevices(search, isMatch) : from(shape)} CROSS JOIN LATERAL ${matchingVariable}`,
      ...(isDevice ? {} : { condition: isMatch, order: sql`ORDER BY t.id` }),
    });
  });
}

/** A filter of a jsonpath. It has the meaning of a `vars` filter, in which an element of an array matches, too. */
const comparison = ({ query }: Search): string =>
  `? (${query.values.map((value) => `@ == ${value}`).join(' || ')})`;
