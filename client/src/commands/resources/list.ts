import { isIP } from 'node:net';
import { Command, Option } from 'commander';
import type { ResourceDescription } from '../../api/resource-description';
import { usageError } from '../../cli-error';
import { readOptional } from '../../api/optional-read';
import { joinLists, limitOption, pageLimit, printTruncated } from '../shared-options';
import { KIND_MEMBER } from './all-devices';
import {
  listColumns,
  mayBeVariable,
  referencesOf,
  renderRows,
  requiredMembers,
  type ColumnOptions,
} from './columns';
import { explainEmptyResult } from './empty-result';
import { addFilters, filterOptions, filterQuery, type FilterOption } from './filter-flags';
import { describeMissingLabels, findMissingLabels } from './new-labels';
import { openSession, type Session } from '../session';
import { describeKinds } from '../../lookup/resource-finder';
import { printStatus } from '../../output/console';
import { printList } from '../../output/formats';
import type { Row } from '../../output/rows';
import { asObject, exactJson, isLosslessNumber, toNumber } from '../../api/exact-json';
import type { ListPage, Muster } from '../../api/muster';
import { describeInvalidChoice } from '../../text';

interface ListOptions extends ColumnOptions {
  readonly limit: number;
  readonly sortKey: readonly string[];
  readonly sortDir: 'asc' | 'desc';
  readonly [filter: string]: unknown;
}

/** `muster host list` */
export function listCommand(resource: ResourceDescription): Command {
  const filters = filterOptions(resource);
  const command = new Command('list')
    .description(`Lists ${resource.collection.replaceAll('-', ' ')}.`)
    .option('--detail', 'show all members and the resolved variables')
    .option(
      '--fields <names>',
      `the members to show, a comma-separated list of: ${fieldNames(resource).join(', ')}`,
      joinLists,
    )
    .addOption(limitOption())
    .addOption(
      new Option(
        '--sort-key <names>',
        `the members to sort by, a comma-separated list of: ${resource.sortKeys.join(', ')}`,
      )
        .argParser((value: string, before: readonly string[]) => [
          ...before,
          ...parseSortKeys(value, resource),
        ])
        .default([], 'id'),
    )
    .addOption(
      new Option('--sort-dir <direction>', 'the sort direction').choices(['asc', 'desc']).default('asc'),
    );
  return addAddressAlias(addFilters(command, filters), filters).action(
    async (options: ListOptions, running: Command) => {
      const session = openSession(running);
      const { muster, project, format } = session;
      const columns = listColumns(resource, format, options);
      const narrowed = await filterQuery(filters, options, session.finder);
      const sortMembers = options.sortKey.map((key) => key.replace(NATURAL, ''));
      const fieldsToRead = [...requiredMembers(columns), ...sortMembers, 'id'];
      const lists = describeKinds(resource.kind).map(
        ({ kind, collection, fields }) =>
          new ListReader(
            muster,
            resource.fields.includes(KIND_MEMBER) && resource.kind !== kind ? { kind } : {},
            `/v1/${collection}`,
            {
              query: {
                ...narrowed,
                project_id: resource.kind === 'project' ? undefined : project,
                fields: [...new Set(fieldsToRead)].filter((name) => fields.includes(name)),
                limit: pageLimit(options.limit),
                sort_keys: options.sortKey.length > 0 ? options.sortKey : undefined,
                sort_dir: options.sortDir,
              },
            },
          ),
      );
      const order = rowComparator({ keys: options.sortKey, descending: options.sortDir === 'desc' });
      const rows = mergeLists(lists, order, options.limit);
      const count = await printList(format, renderRows(rows, columns, session), {
        names: columns.columns,
        name: resource.nameMember ?? 'id',
      });
      if (lists.some(({ hasMore }) => hasMore)) printTruncated(options.limit);
      if (count === 0) await printUnknownLabels(session, narrowed['label']);
      // A misspelled label excludes nothing.
      await printUnknownLabels(session, narrowed['without_label']);
      if (count === 0)
        await explainEmptyResult(session, resource, {
          ...narrowed,
          project_id: resource.kind === 'project' ? undefined : project,
        });
    },
  );
}

/** The filter for the member `ip_address` is named `ip`. */
function addAddressAlias(command: Command, filters: readonly FilterOption[]): Command {
  if (!filters.some(({ option }) => option.long === '--ip')) return command;
  return command
    .addOption(new Option('--ip-address <ip>', 'an alias of --ip'))
    .on('option:ip-address', (value: string) => command.setOptionValue('ip', value));
}

const fieldNames = (resource: ResourceDescription): string[] => [
  ...resource.fields,
  ...referencesOf(resource).map(({ column }) => column),
];

function parseSortKeys(text: string, resource: ResourceDescription): string[] {
  const { sortKeys } = resource;
  const keys = text.split(',').map((key) => key.trim());
  const unknown = keys.find((key) => !sortKeys.includes(key));
  if (unknown === undefined) return keys;
  const hint = mayBeVariable(resource, unknown, sortKeys) ? ' Lists cannot be sorted by variables.' : '';
  throw usageError(describeInvalidChoice('sort key', unknown, sortKeys) + hint);
}

/** Prints which labels of a filter do not exist. Errors are ignored, because the list itself was read. */
async function printUnknownLabels(
  { muster, project }: Session,
  filter: string | readonly string[] | undefined,
): Promise<void> {
  if (filter === undefined) return;
  const labels = [...new Set(typeof filter === 'string' ? [filter] : filter)];
  const texts = await readOptional(muster, async (reader) =>
    describeMissingLabels(reader, project, await findMissingLabels(reader, project, labels)),
  );
  printStatus(...(texts ?? []));
}

/** The sort order of a list. The id is always the last key. */
interface ListOrder {
  readonly keys: readonly string[];
  readonly descending: boolean;
}

/** The suffix of sort keys for natural order: runs of digits by their value. */
const NATURAL = /:natural$/;
const collator = new Intl.Collator('und', { numeric: true });

/** Compares rows in the sort order of the service, for merging sorted lists of several kinds. */
function rowComparator({ keys, descending }: ListOrder): (a: Row, b: Row) => number {
  return (a, b) => {
    for (const key of [...keys, 'id']) {
      const member = key.replace(NATURAL, '');
      const natural = member === key ? 0 : collator.compare(toText(a[member]), toText(b[member]));
      const order = natural || compareValues(a[member], b[member]);
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  };
}

/** Compares numbers by value, IP addresses by their bytes, strings by code point. Null comes last. */
function compareValues(a: unknown, b: unknown): number {
  if (a === null || a === undefined || b === null || b === undefined)
    return Number(a === null || a === undefined) - Number(b === null || b === undefined);
  if (typeof a === 'boolean' || typeof b === 'boolean') return Number(a) - Number(b);
  if (isLosslessNumber(a) && isLosslessNumber(b)) return toNumber(a) - toNumber(b);
  const [one, other] = [toText(a), toText(b)];
  if (isIP(one) !== 0 && isIP(other) !== 0) return compareAddresses(one, other);
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : exactJson.stringify(value));

/** IPv4 comes before IPv6. */
function compareAddresses(a: string, b: string): number {
  const versions = isIP(a) - isIP(b);
  if (versions !== 0) return versions;
  return Buffer.compare(addressBytes(a), addressBytes(b));
}

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  // The last 32 bits may be in IPv4 notation.
  const hexadecimal = address.replace(/[\d.]+$/, (end) =>
    end.includes('.')
      ? (Buffer.from(end.split('.').map(Number)).toString('hex').match(/.{4}/g) ?? []).join(':')
      : end,
  );
  const [front = '', back] = hexadecimal.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const [first, last] = [front === '' ? [] : front, back ?? []];
  const groups = [...first, ...Array<string>(8 - first.length - last.length).fill('0'), ...last];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
}

/** Reads a list page by page, with a look at the next item. */
class ListReader {
  private readonly pages: AsyncGenerator<ListPage>;
  private items: readonly unknown[] = [];
  private at = 0;
  private isLast = false;

  constructor(
    muster: Muster,
    /** Added to each item: the kind, if it is shown. */
    private readonly extraMembers: Row,
    ...[path, options]: Parameters<Muster['pages']>
  ) {
    this.pages = muster.pages(path, options);
  }

  /** The next item, without taking it; undefined at the end. */
  async peek(): Promise<Row | undefined> {
    while (this.at >= this.items.length && !this.isLast) {
      const next = await this.pages.next();
      this.isLast = next.done === true || next.value.isLast;
      this.items = next.done === true ? [] : next.value.items;
      this.at = 0;
    }
    return this.at < this.items.length
      ? { ...this.extraMembers, ...asObject(this.items[this.at]) }
      : undefined;
  }

  take(): void {
    this.at++;
  }

  /** Whether the list has more items, without a request. */
  get hasMore(): boolean {
    return this.at < this.items.length || !this.isLast;
  }
}

/** Merges sorted lists. @param limit the maximum number of items; 0 for all */
async function* mergeLists(
  lists: readonly ListReader[],
  order: (a: Row, b: Row) => number,
  limit: number,
): AsyncGenerator<Row> {
  for (let taken = 0; limit === 0 || taken < limit; taken++) {
    const heads = await Promise.all(lists.map(async (list) => ({ list, row: await list.peek() })));
    const candidates = heads.flatMap(({ list, row }) => (row ? [{ list, row }] : []));
    const [first, ...others] = candidates;
    if (!first) return;
    const next = others.reduce((smallest, one) => (order(one.row, smallest.row) < 0 ? one : smallest), first);
    next.list.take();
    yield next.row;
  }
}
