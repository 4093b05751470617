import { Button, Center, Group, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { api, unwrap } from '../api/client';
import type { components } from '../api/schema';
import classes from './history.module.css';
import { EmptyState, ErrorState, LoadingState } from './states';
import { TimeStamp } from './time-stamp';
import { ValueChange } from './value-change';

const PAGE = 30;

type ChangeRecord = components['schemas']['ChangeRecordListItem'];
type ChangedObject = components['schemas']['ChangedObjectView'];

/** The collections whose resources have a page. */
type Collection = 'hosts' | 'network-devices' | 'regions' | 'cells' | 'labels' | 'clouds';

interface Props {
  /** `network-device` */
  readonly kind: string;
  readonly collection: Collection;
  readonly id: number;
}

/** The changes that touched a resource, newest first. */
export function History({ kind, collection, id }: Props) {
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

/** Members that change with every write. */
const BOOKKEEPING = new Set(['version', 'updated_at']);

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
