import type { ProjectScope, RequestContext } from '../../core/context/request-context';
import type { Database } from '../../database/database';
import { and, sql, type Sql } from '../../database/sql';
import { projectRows } from '../../database/resource-sql';
import { changeRecords } from '../change-record';
import { canSeeRecord } from '../visible-change';
import { InventoryError } from '../../core/errors';

/**
 * A final set of records: no transaction that commits later can add one to it. The id of a record and the id of its
 * transaction decide whether it belongs to the window. See ADR 14.
 */
export interface FeedWindow {
  /** Records up to this id were restored from another cluster, so they are final. */
  readonly floor: number;
  /** Above the floor: records of transactions with lower ids. All of these have ended (`xmin` of a snapshot). */
  readonly endedBefore: string;
  /** Records with lower ids. */
  readonly below: number;
}

/** The position of a reader in the feed. */
export interface FeedCursor {
  /** The window that was read completely. */
  readonly delivered: FeedWindow;
  /** The window that is being read, in the order of ids, without the records of `delivered`. */
  readonly reading: FeedWindow;
  /** The id of the last record that was read in `reading`. */
  readonly last: number;
}

const EMPTY_WINDOW: FeedWindow = { floor: 0, endedBefore: '0', below: 0 };

/** The position before the first record. */
export const FEED_START: FeedCursor = { delivered: EMPTY_WINDOW, reading: EMPTY_WINDOW, last: 0 };

/** The position after the last record of a window. */
export const cursorAfter = (window: FeedWindow): FeedCursor => ({
  delivered: window,
  reading: window,
  last: Math.max(window.below - 1, 0),
});

/** Whether the window that is being read has no more records. */
export const isAtEnd = ({ reading, last }: FeedCursor): boolean => last + 1 >= reading.below;

const CURSOR_VERSION = 1;

type WindowParts = readonly [floor: number, endedBefore: string, below: number];

const windowParts = ({ floor, endedBefore, below }: FeedWindow): WindowParts => [floor, endedBefore, below];

/**
 * Encodes a cursor as opaque text.
 * @param feed the projects of the feed: a cursor is only valid for the same projects
 */
export function encodeCursor({ delivered, reading, last }: FeedCursor, feed: string): string {
  const parts = [CURSOR_VERSION, feed, ...windowParts(delivered), ...windowParts(reading), last];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** @throws InventoryError 400 if the text is not a cursor of this feed */
export function decodeCursor(text: string, feed: string): FeedCursor {
  const parts = parseParts(text);
  const [version, cursorFeed, ...rest] = parts;
  const [delivered, reading] = [parseWindow(rest.slice(0, 3)), parseWindow(rest.slice(3, 6))];
  const last = rest[6];
  const isThisFeed = version === CURSOR_VERSION && cursorFeed === feed && parts.length === 9;
  if (!isThisFeed || !delivered || !reading || !isId(last))
    throw InventoryError.invalid(
      'after',
      'invalid_format',
      'is not a cursor of this feed for the same projects',
    );
  return { delivered, reading, last };
}

function parseParts(text: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(parsed) ? parsed : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

function parseWindow([floor, endedBefore, below]: readonly unknown[]): FeedWindow | undefined {
  if (!isId(floor) || !isId(below) || !isTransactionId(endedBefore)) return undefined;
  return { floor, endedBefore, below };
}

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** Transaction ids have 64 bits. 19 digits always fit. */
const isTransactionId = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{1,19}$/.test(value);

/** For each restore into this cluster, the id of the last restored record, in ascending order. */
type RestoreEpochs = readonly number[];

/**
 * Computes the largest final window. A record that is not visible yet belongs to a transaction that is still running,
 * so its transaction id is not below the snapshot's `xmin`. A change draws its id after it has taken its locks, so a
 * change that depends on an earlier one has the higher id. The window therefore ends before the first visible record
 * that does not belong to it: dependent records follow that record. See ADR 14.
 */
export async function readWindow(
  scope: ProjectScope,
  database: Database,
): Promise<{ readonly window: FeedWindow; readonly restorations: RestoreEpochs }> {
  const [snapshot] = await database.rows<{ ended_before: string; restorations: number[] }>(sql`
    SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS ended_before,
      ARRAY(SELECT last_change_id::float8 FROM feed_restorations ORDER BY last_change_id) AS restorations`);
  if (!snapshot) throw new Error('a query for one row found none');
  const { ended_before: endedBefore, restorations } = snapshot;
  const floor = restorations.at(-1) ?? 0;
  // ORDER BY and OFFSET 0 force the index. The planner does not know that few rows match and would scan all records.
  const unsettled = sql`SELECT c.id FROM changes c WHERE c.project_id = s.project_id
    AND c.transaction_id >= ${endedBefore}::xid8 AND c.id > ${floor} ORDER BY c.transaction_id OFFSET 0`;
  const greatest = sql`SELECT c.id FROM changes c WHERE c.project_id = s.project_id ORDER BY c.id DESC LIMIT 1`;
  let below = 0;
  let firstUnsettled = Infinity;
  // The statements can see more than the snapshot, but not less. What they see in addition is unsettled.
  for (const listed of await database.statementScopes(changeRecords.mapping, scope)) {
    const [row] = await database.rows<{ unsettled: number | null; greatest: number | null }>(
      sql`SELECT
        (SELECT min(u.id) FROM ${projectRows(changeRecords.mapping, listed)} CROSS JOIN LATERAL (${unsettled}) u) AS unsettled,
        (SELECT max(g.id) FROM ${projectRows(changeRecords.mapping, listed)} CROSS JOIN LATERAL (${greatest}) g) AS greatest`,
      'custom',
    );
    firstUnsettled = Math.min(firstUnsettled, row?.unsettled ?? Infinity);
    below = Math.max(below, (row?.greatest ?? -1) + 1);
  }
  return { window: { floor, endedBefore, below: Math.min(below, firstUnsettled) }, restorations };
}

/** The last id of the cluster in which the window was read. Later ids belong to a cluster that was restored from it. */
const lastIdOfCluster = ({ floor }: FeedWindow, restorations: RestoreEpochs): number | undefined =>
  restorations.find((last) => last > floor);

/** Whether the next window contains all records of the window that was read, so that it can replace it. */
export function canReplace(next: FeedWindow, read: FeedWindow, restorations: RestoreEpochs): boolean {
  const lastId = lastIdOfCluster(read, restorations);
  return next.below >= (lastId === undefined ? read.below : Math.min(read.below, lastId + 1));
}

/** Whether the record `c` belongs to a window. */
function belongsTo(window: FeedWindow, restorations: RestoreEpochs): Sql {
  const { floor, endedBefore, below } = window;
  const lastId = lastIdOfCluster(window, restorations);
  const isOfCluster = lastId === undefined ? sql`true` : sql`c.id <= ${lastId}`;
  return sql`c.id < ${below} AND (c.id <= ${floor} OR c.transaction_id < ${endedBefore}::xid8 AND ${isOfCluster})`;
}

/** A record with the columns that a feed needs. */
interface FeedRow {
  readonly id: number;
  readonly project_id: string;
  readonly body: string;
}

interface ReadOptions {
  readonly reader?: RequestContext;
  readonly limit: number;
  readonly body: Sql;
  readonly database: Database;
}

/**
 * Reads the next records of the window that is being read, without the records that were already delivered.
 * @param body the record `t` as JSON text
 * @param reader skips the records that this reader cannot see; without a reader, all records are returned
 */
export async function readRecords(
  scope: ProjectScope,
  { delivered, reading, last }: FeedCursor,
  restorations: RestoreEpochs,
  { reader, limit, body, database }: ReadOptions,
): Promise<FeedRow[]> {
  const isInWindow = and([sql`c.project_id = s.project_id`, belongsTo(reading, restorations)]);
  const isVisible = (row: 'c' | 'l'): Sql => (reader ? canSeeRecord(reader, row) : sql`true`);
  const firstId = Math.max(last + 1, delivered.below);
  const inOrder = sql`(SELECT c.project_id, c.id FROM changes c WHERE ${isInWindow} AND c.id >= ${firstId} AND ${isVisible('c')}
    ORDER BY c.id LIMIT ${limit})`;
  // Records with ids below the end of the delivered window that were committed after it was read.
  const latecomers =
    last + 1 < delivered.below
      ? sql`(SELECT l.project_id, l.id FROM (
          SELECT c.project_id, c.id FROM changes c WHERE ${isInWindow} AND c.id > ${last}
            AND ${isLate(delivered, reading, restorations)} OFFSET 0) l
          WHERE ${isVisible('l')} ORDER BY l.id LIMIT ${limit})`
      : sql`(SELECT NULL::uuid, NULL::bigint WHERE false)`;
  let records: FeedRow[] = [];
  for (const listed of await database.statementScopes(changeRecords.mapping, scope)) {
    const next = await database.rows<FeedRow & Record<string, unknown>>(
      sql`SELECT t.id, t.project_id, ${body} AS body FROM (
          SELECT k.project_id, k.id FROM ${projectRows(changeRecords.mapping, listed)}
          CROSS JOIN LATERAL (${inOrder} UNION ALL ${latecomers}) AS k (project_id, id)
          ORDER BY k.id LIMIT ${limit}
        ) page JOIN changes t ON t.project_id = page.project_id AND t.id = page.id ORDER BY t.id`,
      'custom',
    );
    records = [...records, ...next].sort((a, b) => a.id - b.id).slice(0, limit);
  }
  return records;
}

/** Whether the record `c` was missing in the delivered window although its id is below the end of that window. */
function isLate(delivered: FeedWindow, reading: FeedWindow, restorations: RestoreEpochs): Sql {
  const missing = sql`c.id < ${delivered.below} AND NOT (${belongsTo(delivered, restorations)})`;
  // A range of transaction ids can use their index. Across a restore, transaction ids are not comparable.
  return delivered.floor === reading.floor && lastIdOfCluster(delivered, restorations) === undefined
    ? sql`${missing} AND c.transaction_id >= ${delivered.endedBefore}::xid8 AND c.transaction_id < ${reading.endedBefore}::xid8`
    : missing;
}
