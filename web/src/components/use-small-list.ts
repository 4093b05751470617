import { keepPreviousData, useInfiniteQuery, type QueryKey } from '@tanstack/react-query';
import { readPage } from '../api/pages';
import { inNaturalOrder } from './natural-order';

/** The number of rows that are read at once. */
const PAGE = 100;
/** The same of rows in natural order, which they have once all of them are read. */
const ROWS_IN_ORDER = 500;

/** A list that is read completely, page by page. */
export interface SmallList<T> {
  readonly rows: readonly T[];
  readonly isPending: boolean;
  /** Null if there are rows. */
  readonly error: Error | null;
  readonly retry: () => void;
  /** Reads the next page. Undefined if there is none. */
  readonly onMore: (() => void) | undefined;
  readonly isLoadingMore: boolean;
}

interface Options<T> {
  /** Whether the former rows are shown while those of another key are read. */
  readonly keepsPrevious?: boolean;
  /** The name by which all rows are in natural order, once all of them are read. Until then, they have the order of the service. */
  readonly nameOf?: (row: T) => string;
}

/** Reads a list of some hundred rows, which a `SmallTable` shows. Long lists use `ResourceTable`. */
export function useSmallList<T>(
  queryKey: QueryKey,
  path: string,
  query: Readonly<Record<string, unknown>> = {},
  { keepsPrevious = false, nameOf }: Options<T> = {},
): SmallList<T> {
  const limit = nameOf ? ROWS_IN_ORDER : PAGE;
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery({
      queryKey: [...queryKey, query],
      queryFn: ({ pageParam, signal }) => readPage<T>(path, { ...query, limit, marker: pageParam }, signal),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next }) => next,
      ...(keepsPrevious ? { placeholderData: keepPreviousData } : {}),
    });
  const read = data?.pages.flatMap(({ body }) => body) ?? [];
  return {
    // Rows that are read later belong between those that are there: people would miss them.
    rows: nameOf && !hasNextPage ? read.toSorted((a, b) => inNaturalOrder(nameOf(a), nameOf(b))) : read,
    isPending,
    error: data ? null : error,
    retry: () => void refetch(),
    onMore: hasNextPage ? () => void fetchNextPage() : undefined,
    isLoadingMore: isFetchingNextPage,
  };
}
