import { Option } from 'commander';
import { usageError } from '../cli-error';
import { YAML_VERSIONS } from '../files/yaml-scalars';
import { printStatus } from '../output/console';
import { pluralize } from '../text';
import type { Row } from '../output/rows';

/** A parser for commander: collects the items of a comma-separated list. A repeated option adds its items. */
export const collectList = (text: string, before: readonly string[] | undefined): string[] => [
  ...(before ?? []),
  ...text.split(','),
];

/** Like `collectList`, for an option whose list is split later. */
export const joinLists = (text: string, before: string | undefined): string =>
  before === undefined ? text : `${before},${text}`;

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

/** The option `--yaml` of commands that read YAML files. */
export const yamlOption = (): Option =>
  new Option(
    '--yaml <version>',
    'the version of YAML files: 1.1 as of Ansible and Salt, or 1.2; by default, values that differ between them are rejected',
  ).choices(YAML_VERSIONS);

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

const DAY = 24 * 60 * 60_000;
const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 60 * 60_000, d: DAY, w: 7 * DAY };

/** `2h ago`, `30 min ago`, `3 days ago`. */
const AGO = /^(\d{1,6}) ?(m|min|minutes?|h|hours?|d|days?|w|weeks?) ago$/;

/** For the help of an option that takes a time. */
export const TIME_HELP =
  '2026-11-20T14:37:06 (UTC), 2026-11-20T15:37:06+01:00, 2026-11-20, yesterday, 2h ago';

/** The parser of an option that takes a time. */
export const parseTimeOption = (text: string): string => absoluteTime(text, new Date());

/**
 * Replaces `now`, `today`, `yesterday` (midnight, local time) and `2h ago` by a time in UTC. Other texts are returned
 * unchanged: the service checks them.
 */
export function absoluteTime(text: string, now: Date): string {
  const words = text.trim().toLowerCase();
  if (words === 'now') return now.toISOString();
  if (words === 'today') return localMidnight(now, 0);
  if (words === 'yesterday') return localMidnight(now, -1);
  const [, count = '', unit = ''] = AGO.exec(words) ?? [];
  const length = UNITS[unit.charAt(0)];
  return length === undefined ? text : new Date(now.getTime() - Number(count) * length).toISOString();
}

const localMidnight = (now: Date, days: number): string =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + days).toISOString();
