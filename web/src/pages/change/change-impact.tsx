import { useInfiniteQuery } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import { nextMarker } from '../../api/pages';
import { ImpactList } from '../../components/impact-list';
import { EmptyState, ErrorState, LoadingState } from '../../components/states';

const PAGE = 100;

/** The devices whose resolved variables a change altered, from what to what. */
export function ChangeImpact({ id }: { readonly id: number }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['changes', id, 'impact'],
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.GET('/v1/changes/{id}/impact', {
          params: {
            path: { id },
            query: { limit: PAGE, ...(pageParam === undefined ? {} : { marker: pageParam }) },
          },
          signal,
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => nextMarker(page),
    staleTime: Infinity,
  });
  if (error && !data) return <ErrorState error={error} what="the devices" onRetry={() => void refetch()} />;
  if (!data) return <LoadingState what="the devices" />;
  const items = data.pages.flatMap((page) => page.items);
  // A page may be empty although others follow.
  if (items.length === 0 && !hasNextPage)
    return <EmptyState title="No devices">No device resolved another value after this change.</EmptyState>;
  return (
    <ImpactList
      items={items}
      isLoading={isFetchingNextPage}
      onMore={
        hasNextPage
          ? () => {
              void fetchNextPage();
            }
          : undefined
      }
    />
  );
}
