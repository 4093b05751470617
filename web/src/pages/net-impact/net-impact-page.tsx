import { Button, Group, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api, unwrap } from '../../api/client';
import { nextMarker } from '../../api/pages';
import { present } from '../../app/search-params';
import { useProjectId } from '../../app/use-project';
import { counted } from '../../components/counted';
import { ImpactGroups } from '../../components/impact-groups';
import { ImpactList } from '../../components/impact-list';
import { apiTime, MomentInput } from '../../components/moment-input';
import { PageTitle } from '../../components/page-title';
import { RouteLink } from '../../components/resource-link';
import { EmptyState, ErrorState, LoadingState } from '../../components/states';

const route = getRouteApi('/signed-in/changes/between');

const DAY = 24 * 3_600_000;
/** How long (ms) the differences are shown again without being computed again. */
const LIFETIME = 300_000;

/** The net impact of a period: by variable, how many devices went from what to what between two moments. */
export function NetImpactPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <PageTitle title="Between two moments" />
      <Moments
        key={`${search.since ?? ''} ${search.until ?? ''}`}
        since={search.since}
        until={search.until}
        onChange={(moments) => void navigate({ search: ({ key }) => ({ key, ...moments }) })}
      />
      {search.since === undefined ? (
        <EmptyState title="Choose a moment">
          You see by variable on how many devices the resolved value is another one than then.
        </EmptyState>
      ) : search.group === undefined ? (
        <NetImpact {...search} since={search.since} />
      ) : (
        <GroupDevices since={search.since} until={search.until} group={search.group} />
      )}
    </>
  );
}

interface MomentsShown {
  readonly since: string | undefined;
  readonly until: string | undefined;
}

interface MomentsProps extends MomentsShown {
  readonly onChange: (moments: MomentsShown) => void;
}

function Moments({ since, until, onChange }: MomentsProps) {
  const [draft, setDraft] = useState<MomentsShown>({ since, until });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onChange(draft);
      }}
    >
      <Group gap="xs" align="end">
        <MomentInput
          label="Since"
          isRequired
          value={draft.since}
          onChange={(moment) => {
            setDraft({ ...draft, since: moment });
          }}
        />
        <MomentInput
          label="Until (empty: now)"
          value={draft.until}
          onChange={(moment) => {
            setDraft({ ...draft, until: moment });
          }}
        />
        <Button type="submit">Compare</Button>
        <Button
          variant="default"
          onClick={() => {
            onChange({ since: apiTime(new Date(Date.now() - DAY)), until: undefined });
          }}
        >
          The last 24 hours
        </Button>
      </Group>
    </form>
  );
}

interface Period {
  readonly since: string;
  readonly until?: string | undefined;
  readonly key?: string | undefined;
}

function NetImpact(search: Period) {
  const project_id = useProjectId();
  const query = { ...present(search), since: search.since };
  const { data, error, refetch } = useQuery({
    queryKey: ['changes', project_id, 'net-impact', query],
    queryFn: ({ signal }) => unwrap(api.GET('/v1/changes/impact', { params: { query }, signal })),
    // The service says what to do about a period that is too long.
    retry: false,
    // It takes seconds: it is not computed again without being asked for.
    staleTime: LIFETIME,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  if (error && !data)
    return <ErrorState error={error} what="the differences" onRetry={() => void refetch()} />;
  if (!data) return <LoadingState what="the differences" />;
  const { since, until } = search;
  return (
    <>
      <Group gap="xs" py="xs">
        <Text size="sm">
          {counted(data.devices, 'device')} {data.devices === 1 ? 'resolves' : 'resolve'} other values, by{' '}
          <RouteLink to="/changes" search={{ since, until }} size="sm" underline="always">
            {counted(data.changes, 'change')}
          </RouteLink>
        </Text>
        {search.key !== undefined && (
          <RouteLink to="." search={(former) => ({ ...former, key: undefined })} size="sm">
            All variables
          </RouteLink>
        )}
      </Group>
      {data.groups.length === 0 ? (
        <EmptyState title="No differences">
          Every device resolves the same values at both moments. What was changed and restored between them is
          no difference.
        </EmptyState>
      ) : (
        <ImpactGroups
          groups={data.groups}
          total={data.groups_total}
          linkDevices={({ id }, number) => (
            <RouteLink to="." search={(former) => ({ ...former, group: id })} size="sm">
              {number}
            </RouteLink>
          )}
        />
      )}
    </>
  );
}

interface GroupProps {
  readonly since: string;
  readonly until: string | undefined;
  /** The id of the group. */
  readonly group: string;
}

/** The devices on which a variable went from one value to another. */
function GroupDevices({ since, until, group }: GroupProps) {
  const project_id = useProjectId();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['changes', project_id, 'net-impact-devices', since, until ?? null, group],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...present({ until, marker: pageParam }), since, group };
      return unwrap(api.GET('/v1/changes/impact/devices', { params: { query }, signal }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => nextMarker(page),
    retry: false,
    staleTime: LIFETIME,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const items = data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      <Group py="xs">
        <RouteLink to="." search={(former) => ({ ...former, group: undefined })} size="sm">
          All differences
        </RouteLink>
      </Group>
      {error && !data ? (
        <ErrorState error={error} what="the devices" onRetry={() => void refetch()} />
      ) : data ? (
        <ImpactList
          items={items}
          onMore={hasNextPage ? () => void fetchNextPage() : undefined}
          isLoading={isFetchingNextPage}
        />
      ) : (
        <LoadingState what="the devices" />
      )}
    </>
  );
}
