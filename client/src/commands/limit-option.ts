import { Option } from 'commander';
import { usage } from '../cli-error';
import type { Row } from '../output/formats';
import { say } from '../output/console';

/** How much of a list is shown where nobody says. */
const USUAL_LIMIT = 1000;

/** `--limit`, of every list. */
export const limitOption = (): Option =>
  new Option('--limit <n>', 'how many at most; 0: all').argParser(parseLimit).default(USUAL_LIMIT);

function parseLimit(given: string): number {
  if (/^\d{1,15}$/.test(given)) return Number(given);
  throw usage(`--limit takes a number of items, or 0 for all: ${JSON.stringify(given)} is neither.`);
}

/** Says that a list has more than is shown. */
export const sayMoreThan = (limit: number): void =>
  say(`There are more than these ${String(limit)}: --limit 0 shows all.`);

/** The first rows of a list, and a word on standard error where there are more. @param limit 0: all */
export async function* firstOf(rows: AsyncIterable<Row>, limit: number): AsyncGenerator<Row> {
  let shown = 0;
  for await (const row of rows) {
    if (limit > 0 && shown === limit) {
      sayMoreThan(limit);
      return;
    }
    yield row;
    shown++;
  }
}
/** Both kinds of pages take a limit between these. */
const PAGE = { least: 10, most: 100 };
/** For so many items small pages do; more are fetched in the pages that the service likes. */
const SMALL = 300;
/** The limit of a list's pages, where only so many items are wanted; 0: all. */

export const pageLimit = (wanted: number): number | undefined =>
  wanted === 0 || wanted > SMALL ? undefined : Math.min(Math.max(wanted, PAGE.least), PAGE.most);
