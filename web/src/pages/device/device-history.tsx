import { Button, Center, Group, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import type { components } from '../../api/schema';
import type { DeviceCollection } from '../../components/resource-link';
import { EmptyState, ErrorState, LoadingState } from '../../components/states';
import { TimeStamp } from '../../components/time-stamp';
import { ValueChange } from '../../components/value-change';
import classes from './device-page.module.css';

const PAGE = 30;

type ChangeRecord = components['schemas']['ChangeRecordListItem'];
type ChangedObject = components['schemas']['ChangedObjectView'];

interface Props {
  readonly collection: DeviceCollection;
  readonly id: number;
}

/** The changes that touched a device, newest first. */
export function DeviceHistory({ collection, id }: Props) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [collection, id, 'changes'],
    queryFn: ({ pageParam, signal }) =>
      unwrap(
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
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => (page.length === PAGE ? page.at(-1)?.id : undefined),
  });
  if (error && !data) return <ErrorState error={error} what="the history" onRetry={() => void refetch()} />;
  if (!data) return <LoadingState what="the history" />;
  const changes = data.pages.flat();
  if (changes.length === 0)
    return <EmptyState title="No changes">Changes of this device will be listed here.</EmptyState>;
  return (
    <>
      <ol className={classes.changes} aria-label="Changes, newest first">
        {changes.map((change) => (
          <Change key={change.id} change={change} id={id} />
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

/** Members that change with every write. */
const BOOKKEEPING = new Set(['version', 'updated_at']);

function Change({ change, id }: { readonly change: ChangeRecord; readonly id: number }) {
  const own = change.objects?.find((object) => object.id === id && object.kind !== 'label');
  return (
    <li className={classes.change}>
      <Group gap="xs">
        {change.created_at !== undefined && <TimeStamp time={change.created_at} />}
        <Text span size="sm" fw={600}>
          {change.actor?.username ?? 'unknown'}
        </Text>
        <Text span size="sm" c="dimmed">
          {own?.action ?? 'change'}
        </Text>
        <Text span size="sm">
          {change.reason ?? ''}
        </Text>
      </Group>
      {own && <Diff object={own} />}
    </li>
  );
}

/** Members and variables of one resource that a change altered. */
function Diff({ object: { before, after, variables, action } }: { readonly object: ChangedObject }) {
  const members = action === 'update' && before && after ? Object.keys(after) : [];
  const changed = members.filter(
    (name) => !BOOKKEEPING.has(name) && JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]),
  );
  if (changed.length === 0 && Object.keys(variables).length === 0) return null;
  return (
    <dl className={classes.diff}>
      {changed.map((name) => (
        <Row key={name} name={name} change={{ before: before?.[name], after: after?.[name] }} />
      ))}
      {Object.entries(variables).map(([key, change]) => (
        <Row key={`variable ${key}`} name={key} change={change} />
      ))}
    </dl>
  );
}

const Row = ({ name, change }: { readonly name: string; readonly change: unknown }) => (
  <>
    <dt>{name}</dt>
    <dd>
      <ValueChange change={change} />
    </dd>
  </>
);
