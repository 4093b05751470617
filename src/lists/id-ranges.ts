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
  const first = blockOf(marker?.[0]);
  const available = Math.abs(blockOf(lastId) - first) + 1;
  return rangesOfBlocks(Math.min(blocks, available)).map((range) => {
    const [low, high] = order.descending
      ? [first - range.last, first - range.first]
      : [first + range.first, first + range.last];
    return { low: low * IDS_PER_BLOCK, high: (high + 1) * IDS_PER_BLOCK - 1 };
  });
}

/** Ranges of one block, of two, four and so on, up to a number of blocks: their first and last blocks, numbered from 0. */
export function rangesOfBlocks(blocks: number): { readonly first: number; readonly last: number }[] {
  const ranges = [];
  for (let first = 0, size = 1; first < blocks; first += size, size *= 2)
    ranges.push({ first, last: Math.min(first + size, blocks) - 1 });
  return ranges;
}

/** The last id of a range in a direction. */
export const endOf = ({ low, high }: IdRange, descending: boolean): number => (descending ? low : high);

/** Whether a range has an id. */
export const isIn = ({ low, high }: IdRange, id: number): boolean => low <= id && id <= high;
