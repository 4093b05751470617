/**
 * The constants of how lists are read. Each has the measurement that it follows from: the CPU time of PostgreSQL for a page of
 * 30 devices of 60,000, in turns with other values. docs/performance.md has the times of a million devices.
 */

/**
 * The number of rows that the first scan reads in addition to a page, in 0.5 to 1 ms. With 2,048, filters that need further
 * steps take 1.3 to 3.2 times as long; with 128, those by cells and labels 1.25 to 1.5 times.
 */
export const INITIAL_SCAN_ROWS = 512;

/**
 * The same if the statement of the scan also searches blocks of ids, and all matches are own values that the index of documents finds
 * exactly: each match in a block costs one document, as each scanned row does. With 512, a value of ten of a million devices takes 1.1 times as long.
 */
export const OWN_SCAN_ROWS = 128;

/**
 * The same if it searches them for other rows: those that inherit a value, of which a block also has those whose value a narrower
 * level overrides, and those of a wildcard, even if all matches are own values, because the rows that its index finds are rechecked.
 * Of a million devices,
 * with 512, an inherited value that one in 33 has takes 1.8 times as long, and a value of cells 1.2 times; one that nothing overrides
 * takes 0.75 times as long.
 */
export const INHERITED_SCAN_ROWS = 1024;

/**
 * The factor by which a scan grows when it is repeated: a larger one must promise a full page. Without repeated scans, a prefix
 * that nearly all names have, but not the first ones, takes 5.5 times as long. In the order of names, filters by inherited
 * values take 1.15 times as long; one by an own value of every hundredth device takes 0.6 times as long, but reads all matches,
 * so its time grows with the fleet.
 */
export const SCAN_GROWTH = 8;

/**
 * The same in the order of ids, before the blocks of ids are searched: to search them for one source takes about as long as a scan
 * of twice the first one. Without this scan, an inherited value that one device in 33 has takes 1.25 times as long.
 */
export const SHORT_SCAN_GROWTH = 2;

/**
 * Matches are frequent if the first scan finds one in this many rows. Then the first step of a path probably fills the page, and of
 * a million devices, more match than candidates are looked up.
 */
export const MIN_FREQUENCY = 200;

/** The number of ids in a block of the block indexes; the migration that creates these indexes defines it. */
export const IDS_PER_BLOCK = 4096;

/**
 * The number of blocks of ids that are searched first, if the first scan found nothing. With one, filters by cells take 1.4
 * times as long; with twelve, those by rare values up to 1.2 times.
 */
export const FIRST_BLOCKS = 3;

/**
 * The same for an index that finds more than the matches, because it finds all of that at a high price. Any number of blocks
 * from 3 to 12 takes as long, if there are few matches.
 */
export const FIRST_RECHECKED_BLOCKS = 12;

/**
 * The number of blocks that are searched before all remaining matches are read and sorted. Without this search, a value that is
 * frequent only late in the list takes 2.2 times as long, in a list with another condition, and ever longer in a larger fleet.
 * Ids of other projects make empty blocks, and a search of one takes up to a quarter of a millisecond.
 */
export const MAX_BLOCKS = 1024;

/**
 * Up to this many matches of an index without an order are read and sorted, which takes a few milliseconds. Without this step,
 * rare values take 1.4 to 2.1 times as long, and a wildcard that matches nothing 13 times. With 1,024, a value of 1,200 devices
 * takes 2.6 times as long; with 16,384, one of 24,000 devices 2.1 times.
 */
export const MAX_SORTED_ROWS = 4096;

/**
 * The same for an index that finds more than the matches. They are less likely to have a page of matches. With 4,096, a page
 * takes as long, unless many devices have the value under another key.
 */
export const MAX_RECHECKED_ROWS = 1024;

/**
 * The number of rows on which the access paths are compared. Without the comparison, a label with a frequent value takes 25
 * times as long. A sample of 512 rows takes up to 1.8 times as long as this one.
 */
export const SAMPLE_ROWS = 128;

/**
 * The default access path is replaced only if it matches this many times as many sample rows as the best one. With 16, a label
 * with an inherited value takes 1.5 times as long.
 */
export const MIN_MATCH_RATIO = 4;

/**
 * Up to this many candidates of several filters are looked up to check them, which takes a few milliseconds; if there are more, the
 * list is read in its order.
 */
export const MAX_CANDIDATES = 4096;

/**
 * Up to this many candidates are looked up without reading further sets to reduce them: an estimated half of a millisecond, at
 * two microseconds for each. Other values were not measured.
 */
export const FEW_CANDIDATES = 256;

/**
 * Up to this many ids of a set are read to reduce the candidates: in two milliseconds, from the index alone. And up to this many
 * values of a comparison are looked up, each by itself: 10,000 take 80 ms of CPU time on a busy machine. Without that, a list that
 * begins with a million other devices takes more than a second.
 */
export const MAX_SET_SIZE = 16_384;

/** The number of sets that are read to reduce the candidates. */
export const MAX_SETS = 4;

/**
 * The number of the first ids with a value whose distances estimate how many resources have it. They are read from the index
 * alone. If few have it, its candidates are read before the first scan: two filters that are together rare then take two
 * statements, and four without it.
 */
export const ESTIMATE_SAMPLE_IDS = 64;

/**
 * The assignments of a label are counted up to this number, which is enough to tell common labels from rare ones. It takes
 * about 0.1 ms per thousand.
 */
export const MAX_COUNTED_ASSIGNMENTS = 20_000;

/**
 * Beyond this many positions in several projects, those after the end of a read are discarded before further ones are read.
 * This many take about 10 MB in the order of names.
 */
export const MAX_MERGED_POSITIONS = 50_000;

/**
 * In a larger page, the values of a comparison are not read each in the order of ids: a page of each of up to 256 values would be
 * 256,000 look-ups for a page of 1,000.
 */
export const MAX_PAGE_BY_VALUES = 100;
