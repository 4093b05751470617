import { isIP } from 'node:net';
import { asObject, exactJson, isLosslessNumber, toNumber } from '../../api/exact-json';
import type { ListPage, Muster } from '../../api/muster';
import type { Row } from '../../output/formats';

/** The sort order of a list. The id is always the last key. */
interface ListOrder {
  readonly keys: readonly string[];
  readonly descending: boolean;
}

/** Compares rows in the sort order of the service, for merging sorted lists of several kinds. */
export function rowComparator({ keys, descending }: ListOrder): (a: Row, b: Row) => number {
  return (a, b) => {
    for (const key of [...keys, 'id']) {
      const order = compare(a[key], b[key]);
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  };
}

/** Compares numbers by value, IP addresses by their bytes, strings by code point. Null comes last. */
function compare(a: unknown, b: unknown): number {
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
export class ListReader {
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
export async function* mergeLists(
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
