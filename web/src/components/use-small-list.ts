import { keepPreviousData, useInfiniteQuery, type QueryKey } from '@tanstack/react-query';
import { nextMarker, readPage } from '../api/pages';

/** The number of rows that are read at once. */
const PAGE = 100;

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

interface Options {
  /** Whether the former rows are shown while those of another key are read. */
  readonly keepsPrevious?: boolean;
}

/** Reads a list of some hundred rows, which a `SmallTable` shows. Long lists use `ResourceTable`. */
export function useSmallList<T>(
  queryKey: QueryKey,
  path: string,
  query: Readonly<Record<string, unknown>> = {},
  { keepsPrevious = false }: Options = {},
): SmallList<T> {
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery({
      queryKey: [...queryKey, query],
      queryFn: ({ pageParam, signal }) =>
        readPage<T>(path, { ...query, limit: PAGE, marker: pageParam }, signal),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: nextMarker,
      ...(keepsPrevious ? { placeholderData: keepPreviousData } : {}),
    });
  return {
    rows: data?.pages.flatMap(({ items }) => items) ?? [],
    isPending,
    error: data ? null : error,
    retry: () => void refetch(),
    onMore: hasNextPage ? () => void fetchNextPage() : undefined,
    isLoadingMore: isFetchingNextPage,
  };
}
