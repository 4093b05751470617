import { raw, sql, type Sql } from '../database/sql';
import { isVisible } from '../database/visible-keys';
import { IS_IN_INVENTORY } from '../variables/search/variable-keys.service';
import type { Search } from './matches';

/** The maximum number of pairs. Each takes an index lookup. */
const MAX_PAIRS = 5_000;

/**
 * The keys that the caller may see and the kinds of resources that set them, as a query for `key` and `kind`. A
 * recursive query finds each pair by one index lookup after the previous one (a loose index scan).
 */
export const settingKeys = ({ ctx, projectId }: Search): Sql => sql`
  WITH RECURSIVE pair (key, object_type) AS (
    (SELECT t.key, t.object_type FROM variable_correlations t
      WHERE t.project_id = ${projectId} ORDER BY t.key, t.object_type LIMIT 1)
    UNION ALL
    SELECT n.key, n.object_type FROM pair p CROSS JOIN LATERAL (
      SELECT t.key, t.object_type FROM variable_correlations t
      WHERE t.project_id = ${projectId} AND (t.key, t.object_type) > (p.key, p.object_type)
      ORDER BY t.key, t.object_type LIMIT 1) n
  ) SELECT t.key, t.object_type AS kind FROM (SELECT * FROM pair LIMIT ${MAX_PAIRS}) t
  WHERE ${raw(IS_IN_INVENTORY)} AND ${isVisible(ctx.visibility, sql`t.key`)}`;
