import type { RequestContext } from '../../core/context/request-context';
import { isVisible } from '../../database/visible-keys';
import { InventoryError } from '../../core/errors/inventory-error';
import type { ListFilter } from '../../list/list-filter';
import { and, raw, sql, type Sql } from '../../database/sql';
import { keyFault } from '../../core/context/variable-key';

/** Users carry variables, too, but nothing inherits them: they are no part of what is looked through here. */
export const OF_THE_INVENTORY = "t.object_type <> 'user'";

/** No character of a key comes as late as the last one that there is. */
const BEHIND_ALL = '\u{10ffff}';

/** By a key, or by the prefix of keys. The condition is about a row `t` of `variable_correlations`. */
export const keyFilter: ListFilter = {
  name: 'key',
  description: 'This key; or all that begin so, where a `*` follows.',
  type: 'string',
  example: 'ntp_*',
  condition: (value, _, { visibility }) => {
    const prefix = value.endsWith('*') ? value.slice(0, -1) : undefined;
    if (prefix === '') return sql`true`;
    const fault = keyFault(prefix ?? value);
    if (fault !== undefined) throw InventoryError.invalid('key', fault);
    // Two bounds, which an index serves whatever the prefix is; a pattern would have to be known when it is planned.
    // Bounds for a single key, too: where keys are said to be equal, their order means nothing, and the planner may
    // hope to come across one by reading the table.
    const key = visibility.searchableKey(value);
    return prefix === undefined
      ? sql`t.key >= ${key} AND t.key <= ${key}`
      : sql`t.key >= ${prefix} AND t.key < ${prefix + BEHIND_ALL}`;
  },
};

/**
 * The distinct keys that the project `s` sets, as a query for `key`, in order. Each is found by one look into the index
 * behind the one before, however many places set it; and no further than is taken of them, for each comes of the last.
 * @param conditions over rows `t` of `variable_correlations`: bounds of the keys
 */
export function distinctKeys(ctx: RequestContext, conditions: readonly Sql[], descending: boolean): Sql {
  const bounds = and(conditions);
  const [beyond, direction] = descending ? [raw('<'), raw('DESC')] : [raw('>'), raw('ASC')];
  return sql`WITH RECURSIVE chain (key) AS (
      (SELECT t.key FROM variable_correlations t
        WHERE t.project_id = s.project_id AND ${bounds} ORDER BY t.key ${direction} LIMIT 1)
      UNION ALL
      SELECT (SELECT t.key FROM variable_correlations t
        WHERE t.project_id = s.project_id AND t.key ${beyond} chain.key AND ${bounds} ORDER BY t.key ${direction} LIMIT 1)
      FROM chain WHERE chain.key IS NOT NULL
    ) SELECT chain.key FROM chain
    WHERE chain.key IS NOT NULL AND ${isVisible(ctx.visibility, sql`chain.key`)}`;
}
