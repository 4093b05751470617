import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Listed } from '../../shared/list/list-engine';
import type { ProjectScope, RequestContext } from '../../shared/context/request-context';
import { Database } from '../../shared/persistence/database';
import { jsonOf } from '../../shared/resources/projection';
import { shownMembers } from '../../resources/listing';
import { changeRecords } from '../change-record';
import { BEGINNING, cursorText, endOf, isAtEnd, parseCursor, type Cursor } from './feed-cursor';
import { impactText, PastImpactService } from '../past-impact/past-impact.service';
import { furthestWindow, reachesBeyond, readOn } from './feed-window';

/** What a reader of the feed asks for. */
export interface FeedQuery {
  readonly scope: ProjectScope;
  /** A cursor, or `latest` for what comes from now on; undefined: from the beginning. */
  readonly after: string | undefined;
  readonly limit: number;
  /** For so many seconds at most something is waited for. */
  readonly wait: number;
  /** Whether each change tells the devices whose resolved variables it altered. */
  readonly resolved: boolean;
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

/** While a reader waits, so often is looked whether there is something. */
const LOOK_EVERY_MS = 200;

/** Change records in an order that a reader can follow: each once, and none that could still come before it. */
@Injectable()
export class FeedService implements OnModuleDestroy {
  private readonly stop = new AbortController();

  constructor(
    private readonly database: Database,
    private readonly impacts: PastImpactService,
  ) {}

  /** Whoever waits gets an answer, for the service is about to end. */
  onModuleDestroy(): void {
    this.stop.abort();
  }

  /**
   * Reads on from a cursor.
   * @param gone ends the waiting of a client that is not there any more
   * @throws InventoryError 400 for what is not a cursor of this feed
   */
  async read(ctx: RequestContext, query: FeedQuery, gone: AbortSignal): Promise<FeedPage> {
    const of = query.scope === 'every project' ? query.scope : query.scope.project;
    const until = Date.now() + query.wait * 1000;
    let cursor = await this.startOf(query, of);
    for (;;) {
      const { records, next } = await this.look(ctx, query, cursor);
      cursor = next;
      const left = until - Date.now();
      if (records.length > 0 || left <= 0 || this.stop.signal.aborted || gone.aborted)
        return { records, cursor: cursorText(cursor, of) };
      await pause(Math.min(LOOK_EVERY_MS, left), AbortSignal.any([this.stop.signal, gone]));
    }
  }

  private async startOf({ scope, after }: FeedQuery, of: string): Promise<Cursor> {
    if (after === undefined) return BEGINNING;
    if (after !== LATEST) return parseCursor(after, of);
    return endOf((await furthestWindow(scope, this.database)).window);
  }

  /** What there is by now behind a cursor. */
  private async look(
    ctx: RequestContext,
    { scope, limit, resolved }: FeedQuery,
    cursor: Cursor,
  ): Promise<{ records: FeedPage['records']; next: Cursor }> {
    const { window, restorations } = await furthestWindow(scope, this.database);
    const body = jsonOf(changeRecords.shape, shownMembers(changeRecords), ctx);
    const page = async (from: Cursor) => {
      const found = await readOn(scope, from, restorations, { limit, body, on: this.database });
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

/** Waits, or stops waiting. */
async function pause(milliseconds: number, stop: AbortSignal): Promise<void> {
  try {
    await delay(milliseconds, undefined, { signal: stop });
  } catch (error) {
    if (!stop.aborted) throw error;
  }
}
