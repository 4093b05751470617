import { useQueries, type QueryKey } from '@tanstack/react-query';
import { useState } from 'react';

/** The number of rows of a page, unless a list has large rows. */
export const PAGE_SIZE = 250;

/** How long (ms) a page that is scrolled away stays in memory. */
const PAGE_LIFETIME = 20_000;

/** A row of a list. The id is what the API takes as the marker of the next page. */
export interface Row {
  readonly id: number | string;
}

/** Reads the page after the row with this id; without a marker, the first one. */
export type FetchPage<T extends Row> = (
  marker: T['id'] | undefined,
  signal: AbortSignal,
) => Promise<readonly T[]>;

interface KeysetPages<T> {
  /** The row at a position of the list; undefined while its page is loading. */
  readonly rowAt: (index: number) => T | undefined;
  /** The number of rows that are known to exist. */
  readonly knownRows: number;
  /** Whether the end of the list was reached. */
  readonly isComplete: boolean;
  readonly isPending: boolean;
  /** The error of a page that should be visible. */
  readonly error: Error | null;
  readonly retry: () => void;
}

/** The start of a page that follows one that was read: the id of that page's last row. */
type Markers<T extends Row> = readonly (T['id'] | undefined)[];

/**
 * The pages of a list around its visible rows. The start of every page that was seen is remembered, but the rows of pages
 * that are scrolled away are dropped, so memory does not grow with the list.
 * @param queryKey identifies the list: its filters and its order. Use a new component for another one.
 * @param visible the positions of the first and of the last visible row
 */
export function useKeysetPages<T extends Row>(
  queryKey: QueryKey,
  fetchPage: FetchPage<T>,
  [first, last]: readonly [number, number],
  pageSize: number,
): KeysetPages<T> {
  const [markers, setMarkers] = useState<Markers<T>>([undefined]);
  const [end, setEnd] = useState<number>();
  const firstPage = Math.min(Math.floor(first / pageSize), markers.length - 1);
  // The page after the last visible one is read ahead.
  const lastPage = Math.min(Math.floor((last + pageSize / 2) / pageSize), markers.length - 1);
  const wanted = Array.from({ length: lastPage - firstPage + 1 }, (_, i) => firstPage + i);

  const pages = useQueries({
    queries: wanted.map((page) => ({
      queryKey: [...queryKey, 'page', page, markers[page] ?? null],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => fetchPage(markers[page], signal),
      gcTime: PAGE_LIFETIME,
      // Both kinds of failures are shown with a button.
      retry: 1,
    })),
  });
  const byPage = new Map(wanted.map((page, i) => [page, pages[i]]));

  // Derived state: a page that arrived tells where the next one starts, also if it was read again and has other rows.
  const outdated = wanted.find((page) => {
    const rows = byPage.get(page)?.data;
    return rows !== undefined && startAfter(rows, pageSize) !== markers[page + 1];
  });
  const newest = byPage.get(markers.length - 1)?.data;
  if (outdated !== undefined) {
    const start = startAfter(byPage.get(outdated)?.data ?? [], pageSize);
    setMarkers([...markers.slice(0, outdated + 1), ...(start === undefined ? [] : [start])]);
    if (end !== undefined) setEnd(undefined);
  } else if (newest && newest.length < pageSize) {
    const total = (markers.length - 1) * pageSize + newest.length;
    if (total !== end) setEnd(total);
  }

  const isComplete = end !== undefined;
  const failed = pages.find(({ error }) => error !== null);
  return {
    rowAt: (index) => byPage.get(Math.floor(index / pageSize))?.data?.[index % pageSize],
    knownRows: end ?? (markers.length - 1) * pageSize,
    isComplete,
    isPending: markers.length === 1 && !isComplete && failed === undefined,
    error: failed?.error ?? null,
    retry: () => {
      for (const page of pages) if (page.error) void page.refetch();
    },
  };
}

/** Where the page after a full one starts; undefined if there is none. */
const startAfter = <T extends Row>(rows: readonly T[], pageSize: number): T['id'] | undefined =>
  rows.length === pageSize ? rows.at(-1)?.id : undefined;
