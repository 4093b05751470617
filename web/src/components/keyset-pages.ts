import {
  skipToken,
  useQueries,
  useQuery,
  useQueryClient,
  type QueryClient,
  type QueryKey,
} from '@tanstack/react-query';
import { useState, type Dispatch, type SetStateAction } from 'react';
import { isStatus, retryTemporary } from '../api/errors';
import type { MarkedPage } from '../api/pages';
import { PAGE_SIZE, pageKey } from './list-page';

/**
 * What is wrong with a filter does not change: the first page may have been asked for before the list is shown.
 * Outside of the hook, since the cache would keep what a function closes over: the rows of each render.
 */
const isNoFilterError = ({ state }: { readonly state: { readonly error: unknown } }): boolean =>
  !isStatus(state.error, 400);

/** How long (ms) a page that is scrolled away stays in memory. */
const PAGE_LIFETIME = 5_000;

/** Placeholders below the last known row, while there are more. */
const PLACEHOLDERS = 3;

/** The ids that are read at once to find a position: the largest page of the API. */
const SEEK_LIMIT = 10_000;

/** A row of a list. The API takes its id as the marker of the page after it. */
export interface Row {
  readonly id: number | string;
}

/** Reads a page; without a marker, the first one. */
export type FetchPage<T extends Row> = (
  marker: string | undefined,
  signal: AbortSignal,
) => Promise<MarkedPage<readonly T[]>>;

/** The ids of the rows after a row, or before it, beginning with the nearest one. */
export interface IdRead {
  /** Of the row; undefined for the start of the list, or for its end. */
  readonly marker: string | undefined;
  readonly isBackward: boolean;
  readonly limit: number;
}

/** A list, and how it is read. */
export interface KeysetList<T extends Row> {
  readonly fetchPage: FetchPage<T>;
  /** The number of rows that `fetchPage` reads. */
  readonly pageSize?: number | undefined;
  /** The number of rows, if it was counted. */
  readonly total?: number | undefined;
  /** Reads ids alone. With it and the total, the list can be scrolled to any position. */
  readonly fetchIds?: ((read: IdRead, signal: AbortSignal) => Promise<readonly T['id'][]>) | undefined;
}

interface KeysetPages<T extends Row> {
  readonly positions: Positions<T>;
  /** The row at a position of the list; undefined while its page is loading. */
  readonly rowAt: (index: number) => T | undefined;
  /** The number of rows that are known to exist. */
  readonly knownRows: number;
  /** Whether these are all. */
  readonly isComplete: boolean;
  /** The number of rows with the placeholders for more. */
  readonly length: number;
  /** Whether no page was read yet. */
  readonly isUnread: boolean;
  /** The keys of the visible pages in the cache. */
  readonly queryKeys: readonly QueryKey[];
  /** The error of what should be visible. */
  readonly error: Error | null;
  readonly retry: () => void;
}

/** Where a page starts: after a row. */
interface Start<T extends Row> {
  readonly id: T['id'];
  /** From the link to the page, which is valid although the row is renamed or deleted; or only the id of the row. */
  readonly marker: string;
}

/** What is known of the positions of a list. */
export interface Positions<T extends Row> {
  /** The starts of pages, by the number of the page. Pages far from all that were seen are missing. */
  readonly starts: ReadonlyMap<number, Start<T> | undefined>;
  /** The number of rows, if the last one was seen. */
  readonly end: number | undefined;
}

/**
 * The pages of a list around its visible rows. The start of every page that was seen is remembered, but the rows of pages
 * that are scrolled away are dropped, so memory does not grow with the list.
 * @param queryKey identifies the list: its filters and its order. Use a new component for another one.
 * @param visibleOf the positions of the first and of the last visible row of a list of this length
 * @param former what was known when the list was shown before
 */
export function useKeysetPages<T extends Row>(
  queryKey: QueryKey,
  { fetchPage, fetchIds, pageSize = PAGE_SIZE, total }: KeysetList<T>,
  visibleOf: (length: number) => readonly [number, number],
  former?: Positions<T>,
): KeysetPages<T> {
  const [positions, setPositions] = useState<Positions<T>>(
    former ?? { starts: new Map([[0, undefined]]), end: undefined },
  );
  const { starts, end } = positions;
  const [isUnread, setUnread] = useState(former === undefined);
  const counted = fetchIds && !isUnread ? total : undefined;
  const seenRows = Math.max(...starts.keys()) * pageSize;
  const knownRows = end ?? Math.max(seenRows, counted ?? 0);
  const isComplete = end !== undefined || (counted !== undefined && counted >= seenRows);
  const length = knownRows + (isComplete ? 0 : PLACEHOLDERS);

  const [first, last] = visibleOf(length);
  const pageOf = (row: number) => Math.max(0, Math.floor(row / pageSize));
  const client = useQueryClient();
  const forget = { client, queryKey, setPositions, canSeek: fetchIds !== undefined };
  // Pages are read ahead in both directions.
  const [from, to] = [pageOf(first - pageSize / 2), pageOf(last + pageSize / 2)];
  const wanted = Array.from({ length: to - from + 1 }, (_, i) => from + i).filter((page) => starts.has(page));
  const pages = useQueries({
    queries: wanted.map((page) => ({
      queryKey: pageKey(queryKey, page, starts.get(page)?.id),
      queryFn: pageReader(fetchPage, page, starts.get(page)?.marker, forget),
      gcTime: PAGE_LIFETIME,
      // A failure is shown with a button.
      retry: retryTemporary(1),
      retryOnMount: page === 0 ? isNoFilterError : true,
    })),
  });
  const byPage = new Map(wanted.map((page, i) => [page, pages[i]?.data]));

  const seek = starts.has(pageOf(first)) ? undefined : seekTo(pageOf(first), starts, knownRows, pageSize);
  const ids = useQuery({
    queryKey: [...queryKey, 'ids', seek ?? null],
    queryFn: seek && fetchIds ? idsReader(fetchIds, seek, forget) : skipToken,
    gcTime: 0,
    retry: retryTemporary(1),
  });

  // Derived state. Pages that are read again may have other rows, which moves the pages after them.
  let newPositions = positions;
  for (const [page, read] of byPage)
    if (read && newPositions === positions) newPositions = afterPage(newPositions, page, read, pageSize);
  if (seek && ids.data && newPositions === positions)
    newPositions = afterSeek(newPositions, seek, ids.data, knownRows, pageSize);
  if (newPositions !== positions) {
    setPositions(newPositions);
    setUnread(false);
  }

  const failed = [...pages, ids].filter(({ error }) => error !== null);
  return {
    rowAt: (index) => byPage.get(pageOf(index))?.body[index % pageSize],
    ...{ positions, knownRows, isComplete, length, isUnread },
    queryKeys: wanted.map((page) => pageKey(queryKey, page, starts.get(page)?.id)),
    error: failed[0]?.error ?? null,
    retry: () => {
      for (const query of failed) void query.refetch();
    },
  };
}

/** Adds what a page says about the positions. */
function afterPage<T extends Row>(
  positions: Positions<T>,
  page: number,
  { body: rows, next: marker }: MarkedPage<readonly T[]>,
  pageSize: number,
): Positions<T> {
  const { starts, end } = positions;
  const upToPage = () => [...starts].filter(([other]) => other <= page);
  if (marker === undefined) {
    const newEnd = page * pageSize + rows.length;
    const isKnown = end === newEnd && Math.max(...starts.keys()) <= page;
    return isKnown ? positions : { starts: new Map(upToPage()), end: newEnd };
  }
  const next = page + 1;
  const start = { id: rows.at(-1)?.id ?? marker, marker };
  const known = starts.get(next);
  if (known?.id === start.id)
    return known.marker === marker ? positions : { starts: new Map([...starts, [next, start]]), end };
  // Another start of the next page: rows were added or deleted, and all later positions have changed.
  if (known) return { starts: new Map([...upToPage(), [next, start]]), end: undefined };
  const isPastEnd = end !== undefined && end < next * pageSize;
  return { starts: new Map([...starts, [next, start]]), end: isPastEnd ? undefined : end };
}

/** What is needed to forget where a page starts. */
interface Forget<T extends Row> {
  readonly client: QueryClient;
  readonly queryKey: QueryKey;
  readonly setPositions: Dispatch<SetStateAction<Positions<T>>>;
  readonly canSeek: boolean;
}

// These functions are not created in the hook: there they would reference its variables, and with them the queries of earlier
// pages, whose functions reference still earlier ones. No page would ever be released.

const pageReader =
  <T extends Row>(fetchPage: FetchPage<T>, page: number, marker: string | undefined, forget: Forget<T>) =>
  ({ signal }: { readonly signal: AbortSignal }) =>
    fetchPage(marker, signal).catch((error: unknown) => forgetDeleted(error, page, forget));

const idsReader =
  <T extends Row>(
    fetchIds: NonNullable<KeysetList<T>['fetchIds']>,
    { page, marker, isBackward }: Seek,
    forget: Forget<T>,
  ) =>
  ({ signal }: { readonly signal: AbortSignal }) =>
    fetchIds({ marker, isBackward, limit: SEEK_LIMIT }, signal).catch((error: unknown) =>
      forgetDeleted(error, page, forget),
    );

/** If the row before a page was deleted, forgets where the page starts. @throws the error */
function forgetDeleted<T extends Row>(
  error: unknown,
  page: number,
  { client, queryKey, setPositions, canSeek }: Forget<T>,
): never {
  if (page > 0 && isStatus(error, 400) && error.detail('marker') !== undefined) {
    // The cached rows of the page before end with the deleted one, and other pages may have deleted rows, too.
    void client.resetQueries({
      queryKey: [...queryKey, 'page'],
      predicate: (query) => Number(query.queryKey[queryKey.length + 1]) < page,
    });
    setPositions((positions) => withoutStart(positions, page, canSeek));
  }
  throw error;
}

/**
 * Forgets where a page and those before it start: rows before them may be deleted, too, so their positions are doubtful.
 * Without seeking, the page is found only by reading the pages before it again.
 */
function withoutStart<T extends Row>(
  { starts, end }: Positions<T>,
  page: number,
  canSeek: boolean,
): Positions<T> {
  const others = [...starts].filter(([other]) => (canSeek ? other === 0 || other > page : other < page));
  return { starts: new Map(others), end: canSeek ? end : undefined };
}

/** From where ids are read to find a position. */
interface Seek {
  /** The page that starts after the row. */
  readonly page: number;
  /** The position of the row; -1 and the number of rows stand for the start and the end of the list. */
  readonly position: number;
  readonly marker: string | undefined;
  readonly isBackward: boolean;
}

/** From where a page is found: the nearest known position, which may be the end of the list. */
function seekTo<T extends Row>(
  page: number,
  starts: Positions<T>['starts'],
  knownRows: number,
  pageSize: number,
): Seek {
  const before = Math.max(...[...starts.keys()].filter((other) => other < page));
  const after = Math.min(...[...starts.keys()].filter((other) => other > page));
  const forward = {
    page: before,
    position: before * pageSize - 1,
    marker: starts.get(before)?.marker,
    isBackward: false,
  };
  const position = Math.min(after * pageSize - 1, knownRows);
  // The marker of a link is bound to the direction of the list.
  const row = starts.get(after)?.id;
  const marker = row === undefined ? undefined : String(row);
  const backward = { page: after, position, marker, isBackward: true };
  const target = page * pageSize - 1;
  return target - forward.position <= position - target ? forward : backward;
}

/** Adds the positions of ids. */
function afterSeek<T extends Row>(
  { starts, end }: Positions<T>,
  { position, isBackward }: Seek,
  ids: readonly T['id'][],
  knownRows: number,
  pageSize: number,
): Positions<T> {
  const rowsBefore = (i: number) => (isBackward ? position - i : position + i + 2);
  // The start of the list is not where the counted number of rows says.
  if (isBackward && ids.length < SEEK_LIMIT && position !== ids.length)
    return { starts: new Map([[0, undefined]]), end: knownRows - position + ids.length };
  const found = ids.flatMap((id, i) =>
    rowsBefore(i) % pageSize === 0 ? [[rowsBefore(i) / pageSize, { id, marker: String(id) }] as const] : [],
  );
  const newEnd = !isBackward && ids.length < SEEK_LIMIT ? position + 1 + ids.length : end;
  const all = [...found, ...starts].filter(([page]) => newEnd === undefined || page * pageSize <= newEnd);
  return { starts: new Map(all), end: newEnd };
}
