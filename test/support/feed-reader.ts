import type { Caller } from './caller';
import type { ChangeRecord } from './reverts';
import { until } from './until';

/** What the feed answers. */
export interface FeedAnswer {
  readonly changes: readonly ChangeRecord[];
  readonly cursor: string;
}

/**
 * How long a test waits for the feed, in seconds. The feed delivers a change when no transaction is running that began
 * before it: `pg_snapshot_xmin` is of the whole PostgreSQL server, so those of other test files delay it, too, also those
 * on other databases. Such a test needs a longer `jest.setTimeout`.
 */
export const FEED_TIMEOUT = 90;

/** Somebody who follows the changes, and remembers every place from which reading could go on. */
export class FeedReader {
  readonly read: ChangeRecord[] = [];
  /** Each cursor, and how much had been read when it was given. */
  readonly cursors: { readonly cursor: string; readonly read: number }[] = [];

  constructor(
    private readonly caller: Caller,
    private cursor?: string,
    private readonly query = '',
  ) {}

  get ids(): number[] {
    return this.read.map(({ id }) => id);
  }

  /** Reads on, once. @returns how many changes there were */
  async on(limit = 100, wait = 0): Promise<number> {
    const after = this.cursor === undefined ? '' : `&after=${this.cursor}`;
    const path = `/v1/changes/feed?limit=${String(limit)}&wait=${String(wait)}${after}${this.query}`;
    const { changes, cursor } = (await this.caller.get(path).expect(200)).body as FeedAnswer;
    this.read.push(...changes);
    this.cursor = cursor;
    this.cursors.push({ cursor, read: this.read.length });
    return changes.length;
  }

  /** Reads until there is something, once. */
  async next(limit = 100): Promise<void> {
    await until('the feed delivers a change', FEED_TIMEOUT, async () => (await this.on(limit)) > 0);
  }

  /** Reads until everything that the caller sees in the list of changes is read: the feed delivers a change a moment later. */
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
