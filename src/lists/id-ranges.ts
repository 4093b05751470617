import type { KeysetRead } from './keyset';
import { IDS_PER_BLOCK, MAX_BLOCKS } from './tuning';

/** A range of ids, which starts and ends with a block. Both ends are included. */
export interface IdRange {
  readonly low: number;
  readonly high: number;
}

/**
 * The number of blocks of ids that should have the rest of a page, twice the expectation.
 * @param min the number of blocks if no match is known
 * @param found the number of items among the first `width` rows
 */
export function blocksToRead(min: number, found: number, width: number, missing: number): number {
  const expected = found === 0 ? 0 : Math.ceil((2 * missing * width) / (found * IDS_PER_BLOCK));
  return Math.min(Math.max(expected, min), MAX_BLOCKS);
}

/**
 * The ranges of ids after a marker, in whole blocks and in the order of the read: of one block, then of two, four and so
 * on, so that a range that is not needed completely is not much larger than those before it.
 * @param lastId the last id in the order of the read
 * @param blocks the maximum number of blocks
 */
export function nextRanges({ marker, order }: KeysetRead, lastId: string, blocks: number): IdRange[] {
  const blockOf = (id: string | null | undefined) => Math.floor(Number(id) / IDS_PER_BLOCK);
  const step = order.descending ? -1 : 1;
  const available = Math.abs(blockOf(lastId) - blockOf(marker?.[0])) + 1;
  const ranges: IdRange[] = [];
  let first = blockOf(marker?.[0]);
  const total = Math.min(blocks, available);
  for (let covered = 0, size = 1; covered < total; size *= 2) {
    const count = Math.min(size, total - covered);
    const last = first + step * (count - 1);
    ranges.push({
      low: Math.min(first, last) * IDS_PER_BLOCK,
      high: (Math.max(first, last) + 1) * IDS_PER_BLOCK - 1,
    });
    first = last + step;
    covered += count;
  }
  return ranges;
}

/** The last id of a range in a direction. */
export const endOf = ({ low, high }: IdRange, descending: boolean): number => (descending ? low : high);

/** Whether a range has an id. */
export const isIn = ({ low, high }: IdRange, id: number): boolean => low <= id && id <= high;
