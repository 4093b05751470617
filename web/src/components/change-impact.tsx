import { Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { api, unwrap } from '../api/client';
import { nextMarker } from '../api/pages';
import { counted } from './counted';
import { Impact } from './impact';
import { EmptyState, ErrorState, LoadingState } from './states';

const PAGE = 100;

interface Props {
  readonly id: number;
  /** How many devices the record says; null if it does not. */
  readonly devices: number | null;
}

/** The devices whose resolved variables a change altered, from what to what: first in groups. */
export function ChangeImpact({ id, devices }: Props) {
  const groups = useQuery({
    queryKey: ['changes', id, 'impact-groups'],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/v1/changes/{id}/impact/groups', { params: { path: { id } }, signal })),
    staleTime: Infinity,
  });
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
    <>
      {groups.isError && (
        <ErrorState error={groups.error} what="the groups" onRetry={() => void groups.refetch()} />
      )}
      {groups.data?.complete === false && (
        <Text size="sm">The groups are those of the first {counted(groups.data.devices, 'device')}.</Text>
      )}
      <Impact
        devices={devices ?? groups.data?.devices ?? items.length}
        groups={groups.data?.groups}
        groupsTotal={groups.data?.groups_total}
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
    </>
  );
}
