import { projectMapping } from '../accounts/project.entity';
import type { RequestContext } from '../core/context/request-context';
import type { ResourceMapping } from '../database/resource-mapping';
import { from, inScope, isVisible, readConditions } from '../database/resource-sql';
import { and, raw, sql, type Sql } from '../database/sql';
import { anyDeviceMapping } from '../devices/device-kind';
import { IDS_PER_BLOCK } from '../lists/tuning';
import { IS_IN_INVENTORY } from '../variable-keys/variable-keys.service';
import { SEARCH_LIMITS, type SearchQuery } from './search-query';
import { CHANGE, VARIABLE_KEY } from './searched-kinds';

/** How a text can match. */
export const MATCH_KINDS = ['exact', 'prefix', 'network', 'value', 'substring'] as const;
export type MatchKind = (typeof MATCH_KINDS)[number];

/** The search in one project, as one caller. */
export interface Search {
  readonly ctx: RequestContext;
  readonly projectId: string;
  readonly query: SearchQuery;
  /** Whether the indexes of devices can search one block of ids at a time. */
  readonly inBlocks: boolean;
}

/**
 * The maximum number of matches of one kind that are read. A constant, because the planner expects a tenth of all rows
 * from a parameter, and would plan the statement for each execution.
 */
const maxMatches = ({ query }: Search): Sql =>
  raw(String(query.limit <= SEARCH_LIMITS.default ? SEARCH_LIMITS.default : SEARCH_LIMITS.max));

/** One way in which rows `t` of a kind match. */
interface Matching {
  readonly match: Sql;
  readonly member: Sql;
  readonly condition?: Sql;
  /** The key of the matching variable. */
  readonly key?: Sql;
  /** The text that matches, unless it is the name. */
  readonly matched?: Sql;
  readonly order?: Sql;
  /** A source of the rows; absent: the table of the kind. */
  readonly source?: Sql;
}

/** The rows of a kind that match and that the caller may see, as a query for the columns of `matches`. */
export function matchesOf(
  search: Search,
  mapping: ResourceMapping,
  {
    match,
    member,
    condition = sql`true`,
    key = sql`NULL`,
    matched = sql`NULL`,
    order = sql``,
    source = sql`${from(mapping)}`,
  }: Matching,
): Sql {
  const { ctx, projectId } = search;
  // Only root users search projects, and they see all of them.
  const scope = inScope(mapping, mapping === projectMapping ? 'every project' : { project: projectId });
  const conditions = [scope, ...readConditions(mapping, ctx), condition];
  const kind = mapping === anyDeviceMapping ? raw('t.kind') : raw(`'${mapping.kind}'`);
  const locationColumn = (column: string) => raw(column in mapping.fields ? `t.${column}` : 'NULL::bigint');
  return numbered(sql`SELECT ${match}::text AS match, ${kind}::text AS kind, to_jsonb(t.id) AS id,
      ${nameColumn(mapping)}::text AS name, ${locationColumn('region_id')} AS region_id, ${locationColumn('cell_id')} AS cell_id,
      ${member}::text AS member, ${key}::text AS key, ${shortened(matched)} AS matched
    ${source} WHERE ${and(conditions)} ${order} LIMIT ${maxMatches(search)}`);
}

/** Keys of variables that match, with the same columns. @param source a source of rows `k (key)` */
export const keyMatchesOf = (search: Search, match: Sql, source: Sql): Sql =>
  numbered(sql`SELECT ${match}::text AS match, ${VARIABLE_KEY}::text AS kind, NULL::jsonb AS id, k.key AS name,
      NULL::bigint AS region_id, NULL::bigint AS cell_id, 'key'::text AS member, NULL::text AS key,
      NULL::text AS matched
    ${source} LIMIT ${maxMatches(search)}`);

/** In characters. */
export const MAX_MATCHED_LENGTH = 200;

const shortened = (text: Sql): Sql => sql`left(${text}::text, ${raw(String(MAX_MATCHED_LENGTH))})`;

/**
 * Changes that match, with the same columns. Their name is the reason, or their number. @param source a source of rows `t` of
 * changes
 */
export const changeMatchesOf = (search: Search, match: Sql, member: Sql, source: Sql): Sql =>
  numbered(sql`SELECT ${match}::text AS match, ${CHANGE}::text AS kind, to_jsonb(t.id) AS id,
      COALESCE(${shortened(sql`t.reason`)}, '#' || t.id) AS name, NULL::bigint AS region_id, NULL::bigint AS cell_id,
      ${member}::text AS member, NULL::text AS key, NULL::text AS matched
    ${source} LIMIT ${maxMatches(search)}`);

/** Matches of one kind, the best first, with their position among them. */
const numbered = (matches: Sql): Sql =>
  sql`(SELECT m.*, row_number() OVER () AS position FROM (${matches}) m)`;

/** The column with the name of a resource. */
export const nameColumn = ({ fields, nameField }: ResourceMapping): Sql =>
  raw(fields[nameField]?.sql ?? 't.id');

/** The number of blocks of ids that are probed, evenly spread over the devices. */
const PROBES = 4;

/**
 * Devices that match a condition, as a source of rows `t`. The condition is one that an index finds together with the
 * block of a row's id.
 *
 * An index of this kind returns all matches before the first one is read, which takes a second for half of a million
 * devices. So a few blocks are searched first, which is enough for frequent matches. Otherwise there are few matches,
 * unless they are in a cluster between the blocks.
 * @param narrower a condition that finds the same and few others, and how the others are excluded. It is used if few devices of
 *   the probed blocks meet it
 */
export function probedDevices(
  search: Search,
  condition: Sql,
  narrower?: { readonly indexed: Sql; readonly recheck: Sql },
): Sql {
  const { projectId, inBlocks } = search;
  const limit = maxMatches(search);
  // OFFSET 0 makes the planner use the index: with the limit, it would scan the table in the hope of early matches.
  const rows = (
    ...conditions: readonly Sql[]
  ): Sql => sql`(SELECT t.* FROM (SELECT t.* ${from(anyDeviceMapping)}
    WHERE t.project_id = ${projectId} AND ${and(conditions)} OFFSET 0) t LIMIT ${limit})`;
  if (!inBlocks) return sql`FROM ${rows(condition)} t`;
  const end = (direction: 'ASC' | 'DESC') => sql`(SELECT d.id FROM devices d WHERE d.project_id = ${projectId}
    ORDER BY d.id ${raw(direction)} LIMIT 1)`;
  const blockSize = raw(String(IDS_PER_BLOCK));
  const inBlock = (...conditions: readonly Sql[]): Sql => sql`SELECT t.* FROM block b
    CROSS JOIN LATERAL ${rows(sql`t.id / ${blockSize} = b.number`, ...conditions)} t LIMIT ${limit}`;
  const isFull = (found: 'probed' | 'narrowed') => sql`(SELECT count(*) FROM ${raw(found)}) = ${limit}`;
  const isRead = narrower
    ? sql`NOT ${isFull('probed')} AND ${isFull('narrowed')}`
    : sql`NOT ${isFull('probed')}`;
  return sql`FROM (WITH
    block AS MATERIALIZED (
      SELECT DISTINCT (e.low + (e.high - e.low) * (2 * n - 1) / ${raw(String(2 * PROBES))}) / ${blockSize} AS number
      FROM (SELECT ${end('ASC')} AS low, ${end('DESC')} AS high) e, generate_series(1, ${raw(String(PROBES))}) n),
    ${narrower ? sql`narrowed AS MATERIALIZED (${inBlock(narrower.indexed)}),` : sql``}
    probed AS MATERIALIZED (${inBlock(condition, ...(narrower ? [isFull('narrowed')] : []))})
    SELECT t.* FROM probed t WHERE ${isFull('probed')} UNION ALL SELECT t.* FROM ${rows(condition, isRead)} t
    ${narrower ? sql`UNION ALL SELECT t.* FROM ${rows(narrower.indexed, narrower.recheck, sql`NOT ${isFull('narrowed')}`)} t` : sql``}) t`;
}

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
