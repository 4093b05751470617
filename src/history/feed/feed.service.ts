import { Injectable } from '@nestjs/common';
import type { Listed } from '../../list/list-engine';
import type { ProjectScope, RequestContext } from '../../core/context/request-context';
import { Database } from '../../database/database';
import { jsonOf } from '../../database/resource-sql';
import { shownMembers } from '../../resources/resource-definition';
import { changeRecords } from '../change-record';
import { BEGINNING, cursorText, endOf, isAtEnd, parseCursor, type Cursor } from './feed-cursor';
import { impactText, PastImpactService } from '../past-impact/past-impact.service';
import { FeedWatch, type Waiter } from './feed-watch';
import { furthestWindow, reachesBeyond, readOn } from './feed-window';

/** Who reads the feed, and of which projects. */
export interface FeedReader {
  readonly ctx: RequestContext;
  readonly scope: ProjectScope;
}

/** What a reader of the feed asks for. */
export interface FeedQuery {
  /** A cursor, or `latest` for what comes from now on; undefined: from the beginning. */
  readonly after: string | undefined;
  readonly limit: number;
  /** For so many seconds at most something is waited for. */
  readonly wait: number;
  /** Whether each change tells the devices whose resolved variables it altered. */
  readonly resolved: boolean;
}

/** What there is for somebody who may have to wait for it. */
export interface Waiting {
  /** The reader by now; throws what a new request of the same reader would be refused with. */
  readonly renewed: () => Promise<FeedReader>;
  /** Ends the waiting of a client that is not there any more. */
  readonly gone: AbortSignal;
  /** Called when it is one of those who wait, of whom there is a number. */
  readonly stepAside: () => void;
}

/** A change record as JSON text. */
type FeedRecord = Listed<{ readonly id: number; readonly project_id: string }>;

/** The next records, and where to go on. */
export interface FeedPage {
  readonly records: readonly FeedRecord[];
  readonly cursor: string;
}

export const LATEST = 'latest';

/** Of the devices that a change altered, so many are told with it; where the others are is told, too. */
const DEVICES_OF_A_CHANGE = 100;
/** After so many devices were looked at, an answer is long enough, however many changes it has. */
const MOST_LOOKED_AT = 5_000;

/** While a reader waits, so often is asked whether he still may: with what is kept of keys, well within the promise. */
const RENEW_EVERY_MS = 1_000;

/** Change records in an order that a reader can follow: each once, and none that could still come before it. */
@Injectable()
export class FeedService {
  constructor(
    private readonly database: Database,
    private readonly impacts: PastImpactService,
    private readonly watch: FeedWatch,
  ) {}

  /**
   * Reads on from a cursor.
   * @throws InventoryError 400 for what is not a cursor of this feed; 503 if too many wait already; what the reader is
   *   refused with who may not read any more when the waiting is over
   */
  async read(reader: FeedReader, query: FeedQuery, waiting: Waiting): Promise<FeedPage> {
    const page = await this.next(reader, query, waiting);
    // Whoever hears of a change goes to see what it changed.
    if (page.records.length > 0) await this.database.mark(reader.ctx);
    return page;
  }

  private async next(reader: FeedReader, query: FeedQuery, waiting: Waiting): Promise<FeedPage> {
    const { scope } = reader;
    const until = Date.now() + query.wait * 1000;
    const { records, next } = await this.look(reader, query, await this.startOf(scope, query.after));
    if (records.length > 0 || query.wait === 0) return pageOf(scope, records, next);
    return this.watch.during(scope, waiting.gone, (waiter) => {
      waiting.stepAside();
      return this.waitFor({ reader, cursor: next }, query, { ...waiting, waiter, until });
    });
  }

  /** Whatever comes until then, for the eyes that the reader has when it comes. */
  private async waitFor(
    from: { readonly reader: FeedReader; readonly cursor: Cursor },
    query: FeedQuery,
    { waiter, until, renewed }: Waiting & { readonly waiter: Waiter; readonly until: number },
  ): Promise<FeedPage> {
    const { scope } = from.reader;
    let { reader, cursor } = from;
    for (;;) {
      const { records, next } = await this.look(reader, query, cursor);
      cursor = next;
      if (records.length > 0 || Date.now() >= until) return pageOf(scope, records, cursor);
      for (let isTold = false; !isTold && Date.now() < until;) {
        isTold = await waiter.news(Math.min(RENEW_EVERY_MS, until - Date.now()));
        if (waiter.isOver) return pageOf(scope, [], cursor);
        reader = await renewed();
        // Who sees other projects by now has another feed: the next request is told so.
        if (nameOf(reader.scope) !== nameOf(scope)) return pageOf(scope, [], cursor);
      }
    }
  }

  private async startOf(scope: ProjectScope, after: string | undefined): Promise<Cursor> {
    if (after === undefined) return BEGINNING;
    if (after !== LATEST) return parseCursor(after, nameOf(scope));
    return endOf((await furthestWindow(scope, this.database)).window);
  }

  /** What there is by now behind a cursor. */
  private async look(
    { ctx, scope }: FeedReader,
    { limit, resolved }: FeedQuery,
    cursor: Cursor,
  ): Promise<{ records: FeedPage['records']; next: Cursor }> {
    const { window, restorations } = await furthestWindow(scope, this.database);
    const body = jsonOf(changeRecords.shape, shownMembers(changeRecords), ctx);
    const page = async (from: Cursor) => {
      const found = await readOn(scope, from, restorations, { reader: ctx, limit, body, on: this.database });
      const records = resolved ? await this.expanded(ctx, found) : found;
      const last = records.at(-1);
      const isAll = found.length < limit && records.length === found.length;
      return { records, next: last && !isAll ? { ...from, last: last.id } : endOf(from.reading) };
    };
    if (!isAtEnd(cursor)) {
      const rest = await page(cursor);
      if (rest.records.length > 0) return rest;
    }
    // Where the new window is the smaller one, what would be missing of the old is being waited for.
    const read = cursor.reading;
    if (!reachesBeyond(window, read, restorations)) return { records: [], next: endOf(read) };
    return page({ delivered: read, reading: window, last: 0 });
  }

  /** Records, as many as an answer can have, with the devices that they altered. */
  private async expanded(ctx: RequestContext, records: FeedPage['records']): Promise<FeedPage['records']> {
    const page = { limit: DEVICES_OF_A_CHANGE };
    return this.database.snapshot(async (on) => {
      const expanded: FeedRecord[] = [];
      let looked = 0;
      for (const record of records) {
        if (looked >= MOST_LOOKED_AT) break;
        const change = { projectId: record.project_id, id: record.id };
        const impact = await this.impacts.of(ctx, change, page, on);
        looked += impact.looked;
        const text = impactText(ctx, record.id, page, impact);
        expanded.push({ ...record, body: `${record.body.slice(0, -1)},"resolved":${text}}` });
      }
      return expanded;
    });
  }
}

/** By which a feed is known in its cursors. */
const nameOf = (scope: ProjectScope): string => (scope === 'every project' ? scope : scope.project);

const pageOf = (scope: ProjectScope, records: FeedPage['records'], cursor: Cursor): FeedPage => ({
  records,
  cursor: cursorText(cursor, nameOf(scope)),
});
