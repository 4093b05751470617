import { Injectable } from '@nestjs/common';
import type { ListRow } from '../../lists/read-page';
import type { ProjectScope, RequestContext } from '../../core/context/request-context';
import type { WalPosition } from '../../core/wal-position';
import { Database } from '../../database/database';
import { jsonOf } from '../../database/resource-sql';
import { shownMembers } from '../../resources/resource-definition';
import { changeRecords } from '../change-record';
import { onlyChange, pastImpactText, PastImpactService } from '../past-impact/past-impact.service';
import { FeedNotifier, type FeedWaiter } from './feed-notifier';
import {
  FEED_START,
  encodeCursor,
  cursorAfter,
  isAtEnd,
  decodeCursor,
  type FeedCursor,
  readWindow,
  canReplace,
  readRecords,
} from './feed-window';

/** A reader of the feed, and the projects to read. */
export interface FeedReader {
  readonly ctx: RequestContext;
  readonly scope: ProjectScope;
}

/** The parameters of one read. */
interface FeedQuery {
  /** A cursor, or `latest` to skip all existing changes; undefined to start at the beginning. */
  readonly after: string | undefined;
  readonly limit: number;
  /** The maximum time to wait for changes, in seconds. */
  readonly wait: number;
  /** Whether to include the devices whose resolved variables each change altered. */
  readonly resolved: boolean;
}

/** What a read needs if it has to wait. */
interface FeedWaitOptions {
  /** Authenticates the reader again. Throws the error that a new request of the reader would get. */
  readonly renewReader: () => Promise<FeedReader>;
  /** Aborts when the client disconnects. */
  readonly disconnected: AbortSignal;
  /** Called when the read begins to wait. From then on, the limit on waiting clients applies. */
  readonly releaseSlot: () => void;
}

/** A change record as JSON text. */
type FeedRecord = ListRow<{ readonly id: number; readonly project_id: string }>;

/** The next records, and the cursor after them. */
export interface FeedPage {
  readonly records: readonly FeedRecord[];
  readonly cursor: string;
  /** Reads after this position include the changes. See `WriteOutcome`. */
  readonly position?: WalPosition | undefined;
}

export const LATEST = 'latest';

/** The maximum number of devices included with a change. A link leads to the others. */
const MAX_DEVICES_PER_CHANGE = 100;
/** Limit on the cost of one page with `resolved`, in resolved devices. */
const MAX_COST = 5_000;

/**
 * The interval at which a waiting reader is authenticated again. With the lifetime of cached keys, it stays well within
 * the documented delay for the revocation of keys.
 */
const RENEW_INTERVAL_MS = 1_000;

/** Reads change records in a stable order: each record once, and never before a record that it depends on. */
@Injectable()
export class FeedService {
  constructor(
    private readonly database: Database,
    private readonly impacts: PastImpactService,
    private readonly notifier: FeedNotifier,
  ) {}

  /**
   * Reads the changes after a cursor.
   * @throws InventoryError 400 if the cursor is not one of this feed; 503 if too many clients are waiting; the error of
   *   `renewReader` if the reader loses access while it waits
   */
  async read(reader: FeedReader, query: FeedQuery, waiting: FeedWaitOptions): Promise<FeedPage> {
    const page = await this.next(reader, query, waiting);
    // The reader will read the changed resources next, so it needs a consistency token.
    return page.records.length > 0
      ? { ...page, position: await this.database.committedPosition(reader.ctx) }
      : page;
  }

  private async next(reader: FeedReader, query: FeedQuery, waiting: FeedWaitOptions): Promise<FeedPage> {
    const { scope } = reader;
    const deadline = Date.now() + query.wait * 1000;
    const { records, next } = await this.readAfter(reader, query, await this.startOf(scope, query.after));
    if (records.length > 0 || query.wait === 0) return pageOf(scope, records, next);
    return this.notifier.withWaiter(scope, waiting.disconnected, (waiter) => {
      waiting.releaseSlot();
      return this.waitFor({ reader, cursor: next }, query, { ...waiting, waiter, deadline });
    });
  }

  /** Waits for changes until the deadline. The access that the reader has when a change arrives decides. */
  private async waitFor(
    from: { readonly reader: FeedReader; readonly cursor: FeedCursor },
    query: FeedQuery,
    {
      waiter,
      deadline,
      renewReader,
    }: FeedWaitOptions & { readonly waiter: FeedWaiter; readonly deadline: number },
  ): Promise<FeedPage> {
    const { scope } = from.reader;
    let { reader, cursor } = from;
    for (;;) {
      const { records, next } = await this.readAfter(reader, query, cursor);
      cursor = next;
      if (records.length > 0 || Date.now() >= deadline) return pageOf(scope, records, cursor);
      for (let isNotified = false; !isNotified && Date.now() < deadline;) {
        isNotified = await waiter.waitForChanges(Math.min(RENEW_INTERVAL_MS, deadline - Date.now()));
        if (waiter.isOver) return pageOf(scope, [], cursor);
        reader = await renewReader();
        // The reader now has access to other projects. The next request fails, because the cursor belongs to this feed.
        if (feedOf(reader.scope) !== feedOf(scope)) return pageOf(scope, [], cursor);
      }
    }
  }

  private async startOf(scope: ProjectScope, after: string | undefined): Promise<FeedCursor> {
    if (after === undefined) return FEED_START;
    if (after !== LATEST) return decodeCursor(after, feedOf(scope));
    return cursorAfter((await readWindow(scope, this.database)).window);
  }

  /** Reads the changes after a cursor without waiting. */
  private async readAfter(
    { ctx, scope }: FeedReader,
    { limit, resolved }: FeedQuery,
    cursor: FeedCursor,
  ): Promise<{ records: FeedPage['records']; next: FeedCursor }> {
    const { window, restorations } = await readWindow(scope, this.database);
    const body = jsonOf(changeRecords.mapping, shownMembers(changeRecords), ctx);
    const page = async (from: FeedCursor) => {
      const rows = await readRecords(scope, from, restorations, {
        reader: ctx,
        limit,
        body,
        database: this.database,
      });
      const records = resolved ? await this.withDevices(ctx, rows) : rows;
      const last = records.at(-1);
      const isWindowEnd = rows.length < limit && records.length === rows.length;
      return { records, next: last && !isWindowEnd ? { ...from, last: last.id } : cursorAfter(from.reading) };
    };
    if (!isAtEnd(cursor)) {
      const rest = await page(cursor);
      if (rest.records.length > 0) return rest;
    }
    // A smaller window would miss records of the previous one. Wait until a window contains them.
    const read = cursor.reading;
    if (!canReplace(window, read, restorations)) return { records: [], next: cursorAfter(read) };
    return page({ delivered: read, reading: window, last: 0 });
  }

  /** Adds the altered devices to the records. It returns fewer records if the cost limit is reached. */
  private async withDevices(ctx: RequestContext, records: FeedPage['records']): Promise<FeedPage['records']> {
    const page = { limit: MAX_DEVICES_PER_CHANGE };
    return this.database.snapshot(async (on) => {
      const expanded: FeedRecord[] = [];
      let cost = 0;
      for (const record of records) {
        if (cost >= MAX_COST) break;
        const change = onlyChange({ projectId: record.project_id, id: record.id });
        const impact = await this.impacts.read(ctx, change, page, on);
        cost += impact.cost;
        const json = pastImpactText(ctx, record.id, page, impact);
        expanded.push({ ...record, body: `${record.body.slice(0, -1)},"resolved":${json}}` });
      }
      return expanded;
    });
  }
}

/** Identifies a feed in its cursors. */
const feedOf = (scope: ProjectScope): string => (scope === 'every project' ? scope : scope.project);

const pageOf = (scope: ProjectScope, records: FeedPage['records'], cursor: FeedCursor): FeedPage => ({
  records,
  cursor: encodeCursor(cursor, feedOf(scope)),
});
