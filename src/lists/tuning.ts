/**
 * The constants of how lists are read, each with the measurement that it follows from: of `npm run bench -- --case vars` and
 * of docs/performance.md, at a million devices.
 */

/** The number of rows that the first scan reads in addition to a page. It costs about a millisecond. */
export const INITIAL_SCAN_ROWS = 512;

/** The factor by which a scan grows when it is repeated. A larger scan must promise a full page to be worth it. */
export const SCAN_GROWTH = 8;

/** The number of ids in a block of the block indexes; the migration that creates these indexes defines it. */
export const IDS_PER_BLOCK = 4096;

/** The number of blocks of ids that are searched first, if the first scan found nothing. */
export const FIRST_BLOCKS = 3;

/** The same for an index that finds more than the matches, because it finds all of that at a high price. */
export const FIRST_RECHECKED_BLOCKS = 12;

/**
 * The number of blocks that are searched before all remaining matches are read and sorted. Ids of other
 * projects make empty blocks, and a search of one takes up to a quarter of a millisecond.
 */
export const MAX_BLOCKS = 1024;

/** Up to this many matches of an index without an order are read and sorted, which takes a few milliseconds. */
export const MAX_SORTED_ROWS = 4096;

/** The same for an index that finds more than the matches. They are less likely to have a page of matches. */
export const MAX_RECHECKED_ROWS = 1024;

/** The number of rows on which the access paths are compared. */
export const SAMPLE_ROWS = 128;

/** The default access path is replaced only if it matches this many times as many sample rows as the best one. */
export const MIN_MATCH_RATIO = 4;

/** The assignments of a label are counted up to this number, which is enough to tell common labels from rare ones. */
export const MAX_COUNTED_ASSIGNMENTS = 20_000;

/** Beyond this many positions in several projects, those after the end of a read are discarded before further ones are read. */
export const MAX_MERGED_POSITIONS = 50_000;
