import { Group, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery, useQueryClient, type QueryState } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api, unwrap } from '../../api/client';
import { unwrapPage } from '../../api/pages';
import { readAgain } from '../../api/read-again';
import { present, type Present } from '../../app/search-params';
import { usePolling } from '../../app/live';
import { useProjectId } from '../../app/use-project';
import {
  changeCountsKey,
  ChangeHistogram,
  useChangeTotal,
  type TimeRange,
} from '../../components/change-histogram';
import { SUMMARY_FIELDS, summarizeChange, type SummarizedChange } from '../../components/change-summary';
import type { FetchPage } from '../../components/keyset-pages';
import { PageTitle } from '../../components/page-title';
import { RouteLink } from '../../components/resource-link';
import { ResourceTable } from '../../components/resource-table';
import { EmptyState } from '../../components/states';
import { dateOf } from '../../components/date-of';
import { changeColumns } from './change-columns';
import { ChangesFilterBar } from './changes-filter-bar';
import type { ChangeFilters } from './changes-search';

const route = getRouteApi('/signed-in/changes');

/** Changes of many resources are large: a record in a list has up to 100 objects with both sides. */
const PAGE = 50;
/** How many intervals the histogram has. */
const INTERVALS = 60;
/** How often (ms) the changes are counted again, at most: counting reads the whole history. */
const COUNT_INTERVAL = 60_000;

/** All changes, newest first, filtered. New ones appear while the page is visible. */
export function ChangesPage() {
  const filters = present(route.useSearch());
  const navigate = route.useNavigate();
  const project_id = useProjectId();
  const queryKey = ['changes', project_id, 'list', filters];
  const isNarrow = useMediaQuery('(max-width: 40em)', false, { getInitialValueInEffect: false });
  useFollow(project_id, filters, queryKey);
  const total = useChangeTotal(filters, INTERVALS);
  const isFiltered = Object.keys(filters).length > 0;
  const change = (changed: ChangeFilters) => {
    void navigate({ search: (former) => ({ ...former, ...changed }) });
  };
  const showRange = ({ since, until }: TimeRange) => {
    change({ since, until });
  };
  const showAllTimes = () => {
    change({ since: undefined, until: undefined });
  };
  return (
    <>
      <Group justify="space-between" gap="xs">
        <PageTitle title="Changes" />
        <Group gap="sm">
          <RouteLink
            to="/changes/between"
            search={{ since: filters.since, until: filters.until, key: filters.key }}
            size="sm"
          >
            Between two moments
          </RouteLink>
          <Text size="xs" c="dimmed">
            New changes appear by themselves
          </Text>
        </Group>
      </Group>
      <ChangesFilterBar
        // A range that is selected in the histogram leaves the other fields as they were typed.
        key={JSON.stringify({ ...filters, since: undefined, until: undefined })}
        filters={filters}
        onChange={change}
      />
      <ChangeHistogram
        filters={filters}
        intervals={INTERVALS}
        onIntervalChosen={showRange}
        onRangeSelected={showRange}
        onClear={filters.since === undefined && filters.until === undefined ? undefined : showAllTimes}
      />
      <ResourceTable
        label="changes"
        queryKey={queryKey}
        fetchPage={fetchPageOf(project_id, filters)}
        pageSize={PAGE}
        total={total}
        columns={changeColumns(isNarrow)}
        onOpen={({ id }) => {
          void navigate({ to: '/changes/$id', params: { id: String(id) }, search: {} });
        }}
        empty={
          isFiltered ? (
            <EmptyState title="No change matches">Remove a filter.</EmptyState>
          ) : (
            <EmptyState title="No changes yet">Every write is recorded, and will be listed here.</EmptyState>
          )
        }
      />
    </>
  );
}

const fetchPageOf =
  (project_id: string, filters: Present<ChangeFilters>): FetchPage<SummarizedChange> =>
  async (marker, signal) => {
    const query = {
      ...filters,
      project_id,
      fields: [...SUMMARY_FIELDS],
      sort_dir: 'desc' as const,
      limit: PAGE,
      ...(marker === undefined ? {} : { marker }),
    };
    const { body, next } = await unwrapPage(api.GET('/v1/changes', { params: { query }, signal }));
    return { body: body.map(summarizeChange), next };
  };

/** Reads the list, and later the counts, again when there is a newer change, while the page is visible and in use. */
function useFollow(project_id: string, filters: Present<ChangeFilters>, listKey: readonly unknown[]): void {
  const queryClient = useQueryClient();
  const queryKey = ['changes', project_id, 'newest', filters];
  useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const query = { ...filters, project_id, fields: ['id' as const], sort_dir: 'desc' as const, limit: 1 };
      const [change] = await unwrap(api.GET('/v1/changes', { params: { query }, signal }));
      const newest = change?.id ?? 0;
      const known = queryClient.getQueryData<number>(queryKey);
      const countsKey = changeCountsKey(project_id);
      if (known !== undefined && known !== newest)
        await Promise.all([
          // Marked only, and no `readAgain`: counting takes time, and `isRecountDue` says when it is due.
          queryClient.invalidateQueries({ queryKey: countsKey, refetchType: 'none' }),
          readAgain(queryClient, { queryKey: listKey }),
        ]);
      // The next look does not wait for the counts.
      if (!isPast(filters.until))
        void queryClient.refetchQueries(
          { queryKey: countsKey, type: 'active', predicate: ({ state }) => isRecountDue(state) },
          { cancelRefetch: false },
        );
      return newest;
    },
    refetchInterval: usePolling(),
    // The list reports what is wrong with a filter.
    retry: false,
  });
}

const isPast = (time: string | undefined): boolean =>
  time !== undefined && dateOf(time).getTime() <= Date.now();

const isRecountDue = ({ isInvalidated, dataUpdatedAt, errorUpdatedAt }: QueryState): boolean =>
  isInvalidated && Date.now() - Math.max(dataUpdatedAt, errorUpdatedAt) >= COUNT_INTERVAL;
