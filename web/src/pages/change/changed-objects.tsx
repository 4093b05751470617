import { Button, Center, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { components } from '@muster/api-types';
import { nextMarker, readPage } from '../../api/pages';
import { useLocations } from '../../api/locations';
import { titledObject, titleOf } from '../../components/change-summary';
import { hasLevel, LevelMark, levelOf } from '../../components/level-mark';
import { ObjectDiff } from '../../components/object-diff';
import { ResourceLink } from '../../components/resource-link';
import { EmptyState, ErrorState, LoadingState } from '../../components/states';
import classes from './change-page.module.css';

type ChangedObject = components['schemas']['ChangedObject'];

const PAGE = 50;

/** The resources that a change touched, each with what changed. */
export function ChangedObjects({ id }: { readonly id: number }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['changes', id, 'objects'],
    queryFn: ({ pageParam, signal }) =>
      readPage<ChangedObject>(`/v1/changes/${id}/objects`, { limit: PAGE, marker: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: nextMarker,
    staleTime: Infinity,
  });
  if (error && !data) return <ErrorState error={error} what="the resources" onRetry={() => void refetch()} />;
  if (!data) return <LoadingState what="the resources" />;
  const objects = data.pages.flatMap(({ items }) => items);
  if (objects.length === 0)
    return (
      <EmptyState title="Nothing that you see">The change altered only what you may not read.</EmptyState>
    );
  return (
    <>
      <ol className={classes.objects} aria-label="Changed resources">
        {objects.map((object) => (
          <li key={`${object.kind}/${object.id}`} className={classes.object}>
            <ObjectTitle object={object} />
            <ObjectDiff object={object} />
          </li>
        ))}
      </ol>
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

const ACTIONS = { create: 'created', update: 'updated', delete: 'deleted' } as const;

function ObjectTitle({ object }: { readonly object: ChangedObject }) {
  const { kind, id, action } = object;
  const name = titleOf(titledObject(object), useLocations());
  const link = action === 'delete' ? name : <ResourceLink kind={kind} id={id} name={name} />;
  return (
    <>
      {hasLevel(kind) ? <LevelMark level={levelOf(kind)}>{link}</LevelMark> : link}
      <Text span size="sm" c="dimmed">
        {' '}
        {kind} {ACTIONS[action]}
      </Text>
    </>
  );
}
