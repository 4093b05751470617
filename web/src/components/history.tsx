import { Button, Center, Group, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { components } from '@muster/api-types';
import { api } from '../api/client';
import type { DeviceCollection, InventoryCollection } from '../api/kinds';
import { unwrapPage } from '../api/pages';
import { ChangeLink } from './change-link';
import classes from './history.module.css';
import { ObjectDiff } from './object-diff';
import { RouteLink } from './resource-link';
import { EmptyState, ErrorState, LoadingState } from './states';
import { TimeStamp } from './time-stamp';

const PAGE = 30;

type ChangeRecord = components['schemas']['ChangeRecordListItem'];

/** The collections whose resources have a page. */
type Collection = DeviceCollection | InventoryCollection;

interface Props {
  readonly kind: string;
  readonly collection: Collection;
  readonly id: number;
}

/** The changes that touched a resource, newest first. */
export function History({ kind, collection, id }: Props) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [collection, id, 'changes'],
    queryFn: ({ pageParam, signal }) =>
      unwrapPage(
        api.GET(`/v1/${collection}/{id}/changes`, {
          params: {
            path: { id },
            query: {
              limit: PAGE,
              sort_dir: 'desc',
              ...(pageParam === undefined ? {} : { marker: pageParam }),
            },
          },
          signal,
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
  if (error && !data) return <ErrorState error={error} what="the history" onRetry={() => void refetch()} />;
  if (!data) return <LoadingState what="the history" />;
  const changes = data.pages.flatMap(({ body }) => body);
  if (changes.length === 0) return <EmptyState title="No changes">Changes will be listed here.</EmptyState>;
  return (
    <>
      <ol className={classes.changes} aria-label="Changes, newest first">
        {changes.map((change) => (
          <Change key={change.id} change={change} kind={kind} id={id} />
        ))}
      </ol>
      {hasNextPage && (
        <Center pt="sm">
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show older changes
          </Button>
        </Center>
      )}
    </>
  );
}

interface ChangeProps {
  readonly change: ChangeRecord;
  readonly kind: string;
  readonly id: number;
}

function Change({ change, kind, id }: ChangeProps) {
  const own = change.objects?.find((object) => object.id === id && object.kind === kind);
  return (
    <li className={classes.change}>
      <Group gap="xs">
        {change.created_at !== undefined && (
          <ChangeLink id={change.id ?? 0}>
            <TimeStamp time={change.created_at} />
          </ChangeLink>
        )}
        <Text span size="sm" fw={600}>
          {change.actor?.username ?? 'unknown'}
        </Text>
        <Text span size="sm" c="dimmed">
          {own?.action ?? 'change'}
        </Text>
        <Text span size="sm">
          {change.reason ?? ''}
        </Text>
        {own?.action !== 'delete' && (
          <RouteLink
            to="."
            search={(former) => ({ ...former, tab: undefined, at: change.created_at })}
            size="xs"
          >
            As it was then
          </RouteLink>
        )}
      </Group>
      {own && <ObjectDiff object={own} />}
    </li>
  );
}
