import type { RequestContext } from '../../core/context/request-context';
import { isVisible } from '../../database/visible-keys';
import { InventoryError } from '../../core/errors/inventory-error';
import type { ListFilter } from '../../list/list-filter';
import { and, raw, sql, type Sql } from '../../database/sql';
import { variableKeyError } from '../../core/context/variable-key';

/** Excludes the variables of users, which no device inherits. */
export const IS_IN_INVENTORY = "t.object_type <> 'user'";

/** The last code point. No key contains it, so it ends the range of a prefix. */
const LAST_CODE_POINT = '\u{10ffff}';

/** A filter by a key or a prefix of keys. The condition is over a row `t` of `variable_correlations`. */
export const keyFilter: ListFilter = {
  name: 'key',
  description: 'Only this key. With `*` at the end: all keys with this prefix.',
  type: 'string',
  example: 'ntp_*',
  condition: (value, _, { visibility }) => {
    const prefix = value.endsWith('*') ? value.slice(0, -1) : undefined;
    if (prefix === '') return sql`true`;
    const error = variableKeyError(prefix ?? value);
    if (error !== undefined) throw InventoryError.invalid('key', error);
    // Two bounds, which an index can serve in a generic plan; a LIKE pattern would need a custom plan. A single key has
    // two bounds, too: with an equality, the planner ignores the order of keys and can choose a sequential scan.
    const key = visibility.keyOrUnmatchable(value);
    return prefix === undefined
      ? sql`t.key >= ${key} AND t.key <= ${key}`
      : sql`t.key >= ${prefix} AND t.key < ${prefix + LAST_CODE_POINT}`;
  },
};

/**
 * The distinct keys in project `s`, as a query for `key`, in order. A recursive query finds each key by one index
 * lookup after the previous key (a loose index scan), even if many places set it. It stops when a `LIMIT` is reached.
 * @param conditions bounds of the keys, over rows `t` of `variable_correlations`
 */
export function distinctKeys(ctx: RequestContext, conditions: readonly Sql[], descending: boolean): Sql {
  const bounds = and(conditions);
  const [operator, direction] = descending ? [raw('<'), raw('DESC')] : [raw('>'), raw('ASC')];
  return sql`WITH RECURSIVE chain (key) AS (
      (SELECT t.key FROM variable_correlations t
        WHERE t.project_id = s.project_id AND ${bounds} ORDER BY t.key ${direction} LIMIT 1)
      UNION ALL
      SELECT (SELECT t.key FROM variable_correlations t
        WHERE t.project_id = s.project_id AND t.key ${operator} chain.key AND ${bounds} ORDER BY t.key ${direction} LIMIT 1)
      FROM chain WHERE chain.key IS NOT NULL
    ) SELECT chain.key FROM chain
    WHERE chain.key IS NOT NULL AND ${isVisible(ctx.visibility, sql`chain.key`)}`;
}
