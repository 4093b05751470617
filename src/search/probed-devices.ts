import { from } from '../database/resource-sql';
import { raw, sql, type Sql } from '../database/sql';
import { anyDeviceShape } from '../devices/device-kind';
import { IDS_PER_BLOCK } from '../list/page-statements';
import { maxMatches, type Search } from './matches';

/** The number of blocks of ids that are probed, evenly spread over the devices. */
const PROBES = 4;

/**
 * Devices that match a condition, as a source of rows `t`. The condition is one that an index finds together with the
 * block of a row's id.
 *
 * An index of this kind returns all matches before the first one is read, which takes a second for half of a million
 * devices. So a few blocks are searched first, which is enough for frequent matches. Otherwise there are few matches,
 * unless they are in a cluster between the blocks.
 */
export function probedDevices(search: Search, condition: Sql): Sql {
  const { projectId, inBlocks } = search;
  const limit = maxMatches(search);
  // OFFSET 0 makes the planner use the index: with the limit, it would scan the table in the hope of early matches.
  const rows = (conditions: Sql): Sql => sql`(SELECT t.* FROM (SELECT t.* ${from(anyDeviceShape)}
    WHERE t.project_id = ${projectId} AND ${condition} AND ${conditions} OFFSET 0) t LIMIT ${limit})`;
  if (!inBlocks) return sql`FROM ${rows(sql`true`)} t`;
  const end = (direction: 'ASC' | 'DESC') => sql`(SELECT d.id FROM devices d WHERE d.project_id = ${projectId}
    ORDER BY d.id ${raw(direction)} LIMIT 1)`;
  const blockSize = raw(String(IDS_PER_BLOCK));
  const isFull = sql`(SELECT count(*) FROM probed) = ${limit}`;
  return sql`FROM (WITH
    block AS MATERIALIZED (
      SELECT DISTINCT (e.low + (e.high - e.low) * (2 * n - 1) / ${raw(String(2 * PROBES))}) / ${blockSize} AS number
      FROM (SELECT ${end('ASC')} AS low, ${end('DESC')} AS high) e, generate_series(1, ${raw(String(PROBES))}) n),
    probed AS MATERIALIZED (
      SELECT t.* FROM block b CROSS JOIN LATERAL ${rows(sql`t.id / ${blockSize} = b.number`)} t LIMIT ${limit})
    SELECT t.* FROM probed t WHERE ${isFull} UNION ALL SELECT t.* FROM ${rows(sql`NOT ${isFull}`)} t) t`;
}
