import type { Caller } from './caller';
import type { ChangeRecord } from './reverts';
import { until } from './until';

/** A response of the feed. */
export interface FeedAnswer {
  readonly changes: readonly ChangeRecord[];
  readonly cursor: string;
}

/**
 * The timeout (s) for a change in the feed. The feed delivers a change when no earlier transaction is running.
 * `pg_snapshot_xmin` covers the whole PostgreSQL server, so transactions of other test files delay it, even on other
 * databases. Such a test needs a longer `jest.setTimeout`.
 */
export const FEED_TIMEOUT = 90;

/** Follows the feed, and records each cursor. */
export class FeedReader {
  readonly read: ChangeRecord[] = [];
  /** Each cursor, and the number of changes read until then. */
  readonly cursors: { readonly cursor: string; readonly read: number }[] = [];

  constructor(
    private readonly caller: Caller,
    private cursor?: string,
    private readonly query = '',
  ) {}

  get ids(): number[] {
    return this.read.map(({ id }) => id);
  }

  /** Reads one page. @returns the number of changes */
  async on(limit = 100, wait = 0): Promise<number> {
    const after = this.cursor === undefined ? '' : `&after=${this.cursor}`;
    const path = `/v1/changes/feed?limit=${String(limit)}&wait=${String(wait)}${after}${this.query}`;
    const { changes, cursor } = (await this.caller.get(path).expect(200)).body as FeedAnswer;
    this.read.push(...changes);
    this.cursor = cursor;
    this.cursors.push({ cursor, read: this.read.length });
    return changes.length;
  }

  /** Reads until the feed returns a change. */
  async next(limit = 100): Promise<void> {
    await until('the feed delivers a change', FEED_TIMEOUT, async () => (await this.on(limit)) > 0);
  }

  /** Reads until all changes in the caller's list of changes are read, which the feed delivers a little later. */
  async toEnd(): Promise<void> {
    const { body } = await this.caller
      .get(`/v1/changes?project_id=${this.caller.projectId}&limit=10000`)
      .expect(200);
    const last = (body as ChangeRecord[]).at(-1);
    await until('the feed has delivered all changes', FEED_TIMEOUT, async () => {
      await this.on(1000);
      return last === undefined || this.ids.includes(last.id);
    });
  }
}
