import { InventoryError } from '../../core/errors/inventory-error';

/**
 * A final set of records: no transaction that commits later can add one to it. The id of a record and the id of its
 * transaction decide whether it belongs to the window. See ADR 14.
 */
export interface FeedWindow {
  /** Records up to this id were restored from another cluster, so they are final. */
  readonly floor: number;
  /** Above the floor: records of transactions with lower ids. All of these have ended (`xmin` of a snapshot). */
  readonly endedBefore: string;
  /** Records with lower ids. */
  readonly below: number;
}

/** The position of a reader in the feed. */
export interface FeedCursor {
  /** The window that was read completely. */
  readonly delivered: FeedWindow;
  /** The window that is being read, in the order of ids, without the records of `delivered`. */
  readonly reading: FeedWindow;
  /** The id of the last record that was read in `reading`. */
  readonly last: number;
}

const EMPTY_WINDOW: FeedWindow = { floor: 0, endedBefore: '0', below: 0 };

/** The position before the first record. */
export const FEED_START: FeedCursor = { delivered: EMPTY_WINDOW, reading: EMPTY_WINDOW, last: 0 };

/** The position after the last record of a window. */
export const cursorAfter = (window: FeedWindow): FeedCursor => ({
  delivered: window,
  reading: window,
  last: Math.max(window.below - 1, 0),
});

/** Whether the window that is being read has no more records. */
export const isAtEnd = ({ reading, last }: FeedCursor): boolean => last + 1 >= reading.below;

const CURSOR_VERSION = 1;

type WindowParts = readonly [floor: number, endedBefore: string, below: number];

const windowParts = ({ floor, endedBefore, below }: FeedWindow): WindowParts => [floor, endedBefore, below];

/**
 * Encodes a cursor as opaque text.
 * @param feed the projects of the feed: a cursor is only valid for the same projects
 */
export function encodeCursor({ delivered, reading, last }: FeedCursor, feed: string): string {
  const parts = [CURSOR_VERSION, feed, ...windowParts(delivered), ...windowParts(reading), last];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** @throws InventoryError 400 if the text is not a cursor of this feed */
export function decodeCursor(text: string, feed: string): FeedCursor {
  const parts = parseParts(text);
  const [version, cursorFeed, ...rest] = parts;
  const [delivered, reading] = [parseWindow(rest.slice(0, 3)), parseWindow(rest.slice(3, 6))];
  const last = rest[6];
  const isThisFeed = version === CURSOR_VERSION && cursorFeed === feed && parts.length === 9;
  if (!isThisFeed || !delivered || !reading || !isId(last))
    throw InventoryError.invalid('after', 'is not a cursor of this feed for the same projects');
  return { delivered, reading, last };
}

function parseParts(text: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(parsed) ? parsed : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

function parseWindow([floor, endedBefore, below]: readonly unknown[]): FeedWindow | undefined {
  if (!isId(floor) || !isId(below) || !isTransactionId(endedBefore)) return undefined;
  return { floor, endedBefore, below };
}

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** Transaction ids have 64 bits. 19 digits always fit. */
const isTransactionId = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{1,19}$/.test(value);
