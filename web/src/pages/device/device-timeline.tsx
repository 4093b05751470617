import { Autocomplete, Button, Center, Group, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { components } from '@muster/api-types';
import { useState } from 'react';
import { api, unwrap } from '../../api/client';
import type { DeviceCollection } from '../../api/kinds';
import { nextMarker } from '../../api/pages';
import { useKeyCompletions } from '../../api/variable-keys';
import { ChangeLink } from '../../components/change-link';
import historyClasses from '../../components/history.module.css';
import { LevelLink } from '../../components/level-link';
import { ResourceLink, RouteLink } from '../../components/resource-link';
import { EmptyState, ErrorState, LoadingState } from '../../components/states';
import { TimeStamp } from '../../components/time-stamp';
import { ValueChange } from '../../components/value-change';
import classes from './device-timeline.module.css';

const route = getRouteApi('/signed-in/devices/$collection/$id');

const PAGE = 30;

interface Props {
  readonly collection: DeviceCollection;
  readonly id: number;
}

/** What a device resolved to, change by change, with those of its region, cell and labels. The newest change is the first. */
export function DeviceTimeline({ collection, id }: Props) {
  const { variable } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Stack gap="xs">
      <KeyFilter
        key={variable ?? ''}
        variable={variable}
        onChange={(key) => void navigate({ search: (former) => ({ ...former, variable: key }) })}
      />
      <Changes key={variable ?? ''} collection={collection} id={id} variable={variable} />
    </Stack>
  );
}

interface KeyFilterProps {
  readonly variable: string | undefined;
  readonly onChange: (variable: string | undefined) => void;
}

function KeyFilter({ variable, onChange }: KeyFilterProps) {
  const [key, setKey] = useState(variable ?? '');
  const completions = useKeyCompletions(key);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onChange(key === '' ? undefined : key);
      }}
    >
      <Group gap="xs">
        <Autocomplete
          aria-label="Only changes of the variable"
          placeholder="Only the variable…"
          data={completions}
          value={key}
          onChange={setKey}
          onOptionSubmit={onChange}
        />
        <Button type="submit" variant="default">
          Filter
        </Button>
        {variable !== undefined && (
          <Button
            variant="subtle"
            onClick={() => {
              onChange(undefined);
            }}
          >
            All variables
          </Button>
        )}
      </Group>
    </form>
  );
}

function Changes({ collection, id, variable }: Props & Pick<KeyFilterProps, 'variable'>) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [collection, id, 'changes', 'resolved', variable ?? null],
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.GET(`/v1/${collection}/{id}/changes/resolved`, {
          params: {
            path: { id },
            query: {
              limit: PAGE,
              ...(variable === undefined ? {} : { key: variable }),
              ...(pageParam === undefined ? {} : { marker: pageParam }),
            },
          },
          signal,
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => nextMarker(page),
  });
  if (error && !data) return <ErrorState error={error} what="the timeline" onRetry={() => void refetch()} />;
  if (!data) return <LoadingState what="the timeline" />;
  const changes = data.pages.flatMap(({ items }) => items);
  // A page may be empty although others follow.
  if (changes.length === 0 && !hasNextPage)
    return (
      <EmptyState title="No changes">
        {variable === undefined
          ? 'The device has never had a variable.'
          : 'This variable never had another value on the device.'}
      </EmptyState>
    );
  return (
    <>
      <ol className={historyClasses.changes} aria-label="Changes of resolved variables, newest first">
        {changes.map((change) => (
          <Change key={change.id} change={change} collection={collection} id={id} />
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

type ResolvedChange = components['schemas']['ResolvedChange'];

/** What the API says of a variable. */
interface ChangedValue {
  readonly level: { readonly kind: string; readonly id: number; readonly name: string };
}

interface ChangeProps extends Props {
  readonly change: ResolvedChange;
}

function Change({ change, collection, id }: ChangeProps) {
  return (
    <li className={historyClasses.change}>
      <Group gap="xs">
        <ChangeLink id={change.id}>
          <TimeStamp time={change.created_at} />
        </ChangeLink>
        <Text span size="sm" fw={600}>
          {change.actor.username}
        </Text>
        <Text span size="sm">
          {change.reason ?? ''}
        </Text>
        <RouteLink
          to="."
          search={(former) => ({ ...former, tab: undefined, at: change.created_at })}
          size="xs"
        >
          As it was then
        </RouteLink>
        <RouteLink
          to="/compare"
          search={{ collection, left: id, left_at: change.created_at, right: id }}
          size="xs"
        >
          Compare with now
        </RouteLink>
      </Group>
      <ul className={classes.values}>
        {Object.entries(change.changes as Readonly<Record<string, ChangedValue>>).map(([key, value]) => (
          <li key={key} className={classes.value}>
            <span className={classes.key}>
              <ResourceLink kind="variable-key" id={null} name={key} />
            </span>
            <ValueChange change={value} name={key} />
            <LevelLink {...value.level} />
          </li>
        ))}
      </ul>
    </li>
  );
}
