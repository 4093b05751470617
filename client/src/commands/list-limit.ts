import { Option } from 'commander';
import { usageError } from '../cli-error';
import { pluralize, printStatus } from '../output/console';
import type { Row } from '../output/formats';

const DEFAULT_LIMIT = 1000;

/** The option `--limit` of lists. */
export const limitOption = (): Option =>
  new Option('--limit <n>', 'the maximum number of items; 0 for all')
    .argParser(parseLimit)
    .default(DEFAULT_LIMIT);

function parseLimit(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw usageError(`Invalid --limit ${JSON.stringify(text)}: expected a number of items, or 0 for all.`);
}

/** The option `--limit` of a command whose result is not a list of pages. */
export const boundedLimitOption = (noun: string, max: number, byDefault: number): Option =>
  new Option('--limit <n>', `the maximum number of ${noun}, up to ${String(max)}`)
    .argParser((text) => parseBoundedLimit(text, max))
    .default(byDefault);

function parseBoundedLimit(text: string, max: number): number {
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= max) return limit;
  throw usageError(`Invalid --limit ${JSON.stringify(text)}: expected a number from 1 to ${String(max)}.`);
}

/** Prints that a list has more items than are shown. */
export const printTruncated = (limit: number): void =>
  printStatus(
    `There ${limit === 1 ? 'is' : 'are'} more than ${pluralize(limit, 'item')}: use --limit 0 to show all.`,
  );

/** The first rows of a list. Prints a status line if there are more. @param limit 0 for all */
export async function* takeFirst(rows: AsyncIterable<Row>, limit: number): AsyncGenerator<Row> {
  let shown = 0;
  for await (const row of rows) {
    if (limit > 0 && shown === limit) {
      printTruncated(limit);
      return;
    }
    yield row;
    shown++;
  }
}
/** The page sizes that every configuration of the service accepts. */
const PAGE_LIMITS = { min: 10, max: 100 };
/** Up to this number of items the client chooses the page size; for more it uses the default of the service. */
const MAX_SMALL_LIST = 300;

/** The page size for a number of items; undefined for the default. @param items 0 for all */
export const pageLimit = (items: number): number | undefined =>
  items === 0 || items > MAX_SMALL_LIST
    ? undefined
    : Math.min(Math.max(items, PAGE_LIMITS.min), PAGE_LIMITS.max);
