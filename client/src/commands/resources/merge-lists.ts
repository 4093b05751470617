import { isIP } from 'node:net';
import { asObject, exactJson, isLosslessNumber, plainNumber } from '../../api/exact-json';
import type { Row } from '../../output/formats';
import type { ListPage, Muster } from '../../api/muster';

/** The order of a list. The id is always the last key. */
interface ListOrder {
  readonly keys: readonly string[];
  readonly descending: boolean;
}

/** Compares rows as the service orders them: to lay lists of several kinds together without sorting them. */
export function comparing({ keys, descending }: ListOrder): (a: Row, b: Row) => number {
  return (a, b) => {
    for (const key of [...keys, 'id']) {
      const order = compare(a[key], b[key]);
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  };
}

/** Numbers by value, addresses by their bits, texts by code point; what is null comes last. */
function compare(a: unknown, b: unknown): number {
  if (a === null || a === undefined || b === null || b === undefined)
    return Number(a === null || a === undefined) - Number(b === null || b === undefined);
  if (typeof a === 'boolean' || typeof b === 'boolean') return Number(a) - Number(b);
  if (isLosslessNumber(a) && isLosslessNumber(b)) return plainNumber(a) - plainNumber(b);
  const [one, other] = [textOf(a), textOf(b)];
  if (isIP(one) !== 0 && isIP(other) !== 0) return compareAddresses(one, other);
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : exactJson.stringify(value));

/** Version 4 comes before version 6. */
function compareAddresses(a: string, b: string): number {
  const versions = isIP(a) - isIP(b);
  if (versions !== 0) return versions;
  return Buffer.compare(bitsOf(a), bitsOf(b));
}

function bitsOf(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  // The last 32 bits may be written as an address of version 4.
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
