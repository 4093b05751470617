import { Button, Center } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { components } from '@muster/api-types';
import { readPage } from '../api/pages';
import { ChangedObjectList } from './changed-object-list';
import { EmptyState, ErrorState, LoadingState } from './states';

type ChangedObject = components['schemas']['ChangedObject'];

const PAGE = 50;

/** The resources that a change touched, each with what changed. */
export function ChangedObjects({ id }: { readonly id: number }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['changes', id, 'objects'],
    queryFn: ({ pageParam, signal }) =>
      readPage<ChangedObject>(`/v1/changes/${id}/objects`, { limit: PAGE, marker: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    staleTime: Infinity,
  });
  if (error && !data) return <ErrorState error={error} what="the resources" onRetry={() => void refetch()} />;
  if (!data) return <LoadingState what="the resources" />;
  const objects = data.pages.flatMap(({ body }) => body);
  if (objects.length === 0)
    return (
      <EmptyState title="Nothing that you see">The change altered only what you may not read.</EmptyState>
    );
  return (
    <>
      <ChangedObjectList objects={objects} />
      {hasNextPage && (
        <Center pt="sm">
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </Center>
      )}
    </>
  );
}
