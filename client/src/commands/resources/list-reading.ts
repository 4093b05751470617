import type { ListPage, Muster } from '../../api/muster';
import { ReferenceNames } from '../../addressing/reference-names';
import { asObject } from '../../api/exact-json';
import type { Row } from '../../output/output';
import type { Session } from '../session';
import type { Shown } from './shown-columns';

/** Both kinds of pages take a limit between these. */
const PAGE = { least: 10, most: 100 };
/** For so many items small pages do; more are fetched in the pages that the service likes. */
const SMALL = 300;
/** So many rows get their names at once. */
const BATCH = 500;

/** The limit of a list's pages, where only so many items are wanted; 0: all. */
export const pageLimit = (wanted: number): number | undefined =>
  wanted === 0 || wanted > SMALL ? undefined : Math.min(Math.max(wanted, PAGE.least), PAGE.most);

/** The items of a list, of which the next one can be looked at before it is taken. */
export class ListReader {
  private readonly pages: AsyncGenerator<ListPage>;
  private items: readonly unknown[] = [];
  private at = 0;
  private isLast = false;

  constructor(
    muster: Muster,
    /** The kind, where it is shown. */
    private readonly added: Row,
    ...[path, options]: Parameters<Muster['pages']>
  ) {
    this.pages = muster.pages(path, options);
  }

  /** The next item, still to be taken; undefined at the end. */
  async peek(): Promise<Row | undefined> {
    while (this.at >= this.items.length && !this.isLast) {
      const next = await this.pages.next();
      this.isLast = next.done === true || next.value.isLast;
      this.items = next.done === true ? [] : next.value.items;
      this.at = 0;
    }
    return this.at < this.items.length ? { ...this.added, ...asObject(this.items[this.at]) } : undefined;
  }

  take(): void {
    this.at++;
  }

  /** Whether there is more, without asking for it. */
  get hasMore(): boolean {
    return this.at < this.items.length || !this.isLast;
  }
}

/** Lays lists together that are in one order, up to so many items; 0: all. */
export async function* laidTogether(
  lists: readonly ListReader[],
  order: (a: Row, b: Row) => number,
  limit: number,
): AsyncGenerator<Row> {
  for (let taken = 0; limit === 0 || taken < limit; taken++) {
    const heads = await Promise.all(lists.map(async (list) => ({ list, row: await list.peek() })));
    const there = heads.flatMap(({ list, row }) => (row ? [{ list, row }] : []));
    const [first, ...others] = there;
    if (!first) return;
    const next = others.reduce((least, one) => (order(one.row, least.row) < 0 ? one : least), first);
    next.list.take();
    yield next.row;
  }
}

/** The rows as they are shown: with the names of what they refer to, and with nothing that was not asked for. */
export async function* shownRows(
  rows: AsyncIterable<Row>,
  shown: Shown,
  { muster, project }: Session,
): AsyncGenerator<Row> {
  const names = new ReferenceNames(muster, project);
  let batch: Row[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < BATCH) continue;
    yield* await withNames(batch, shown, names);
    batch = [];
  }
  yield* await withNames(batch, shown, names);
}

/** Rows with the columns that are shown, those among them that are names looked up for all rows together. */
export async function withNames(rows: readonly Row[], shown: Shown, names: ReferenceNames): Promise<Row[]> {
  for (const { kind, member } of shown.references)
    await names.load(
      kind,
      rows.map((row) => row[member]),
    );
  return rows.map((row) =>
    Object.fromEntries(shown.columns.flatMap((column) => cellOf(row, column, shown, names))),
  );
}

/** Nothing where the row does not have it: devices of another kind may. */
function cellOf(row: Row, column: string, { references }: Shown, names: ReferenceNames): [string, unknown][] {
  const reference = references.find((one) => one.column === column);
  const member = reference?.member ?? column;
  if (!(member in row)) return [];
  const value = row[member];
  return [[column, reference && value !== null ? names.of(reference.kind, value) : value]];
}
