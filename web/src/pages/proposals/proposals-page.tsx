import { Group, SegmentedControl } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { getRouteApi } from '@tanstack/react-router';
import { PROPOSALS, readProposals, type ListedProposal } from '../../api/proposals';
import { present } from '../../app/search-params';
import { useProjectId } from '../../app/use-project';
import type { FetchPage } from '../../components/keyset-pages';
import { PAGE_SIZE } from '../../components/list-page';
import { PageTitle } from '../../components/page-title';
import { ResourceTable } from '../../components/resource-table';
import { EmptyState } from '../../components/states';
import { proposalColumns } from './proposal-columns';
import { ProposalsFilterBar } from './proposals-filter-bar';
import { VIEWS, type ProposalFilters } from './proposals-search';

const route = getRouteApi('/signed-in/proposals');

type View = (typeof VIEWS)[number];

const TITLES: Readonly<Record<View, string>> = { waiting: 'Waiting for me', mine: 'Mine', all: 'All' };

/** What distinguishes the views for the API. */
const QUERIES: Readonly<Record<View, Readonly<Record<string, string>>>> = {
  waiting: { waiting_for: 'me' },
  mine: { author: 'me' },
  all: {},
};

/** The proposals that wait for the user, those that the user made, or all; newest first. */
export function ProposalsPage() {
  const { view = 'waiting', ...search } = route.useSearch();
  const filters = present(search);
  const navigate = route.useNavigate();
  const project_id = useProjectId();
  const isNarrow = useMediaQuery('(max-width: 40em)', false, { getInitialValueInEffect: false });
  const query = { ...filters, ...QUERIES[view], project_id, sort_keys: ['id'], sort_dir: 'desc' };
  const change = (changed: ProposalFilters) => {
    void navigate({ search: (former) => ({ ...former, ...changed }) });
  };
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <>
      <Group justify="space-between" gap="xs">
        <PageTitle title="Proposals" />
        <SegmentedControl
          aria-label="Which proposals"
          data={VIEWS.map((value) => ({ value, label: TITLES[value] }))}
          value={view}
          onChange={(value) => {
            const chosen = VIEWS.find((known) => known === value);
            void navigate({ search: { view: chosen === 'waiting' ? undefined : chosen } });
          }}
        />
      </Group>
      <ProposalsFilterBar
        key={JSON.stringify({ view, ...filters })}
        filters={filters}
        hasAuthor={view !== 'mine'}
        hasState={view !== 'waiting'}
        onChange={change}
      />
      <ResourceTable
        label="proposals"
        queryKey={[PROPOSALS, project_id, 'list', query]}
        fetchPage={fetchPageOf(query)}
        columns={proposalColumns(isNarrow)}
        onOpen={({ id }) => {
          void navigate({ to: '/proposals/$id', params: { id: String(id) }, search: {} });
        }}
        empty={
          isFiltered ? (
            <EmptyState title="No proposal matches">Remove a filter.</EmptyState>
          ) : (
            <Empty view={view} />
          )
        }
      />
    </>
  );
}

const fetchPageOf =
  (query: Readonly<Record<string, unknown>>): FetchPage<ListedProposal> =>
  (marker, signal) =>
    readProposals({ ...query, limit: PAGE_SIZE, marker }, signal);

const Empty = ({ view }: { readonly view: View }) =>
  view === 'waiting' ? (
    <EmptyState title="Nothing waits for you">
      Proposals of others are listed here until you have reviewed them.
    </EmptyState>
  ) : (
    <EmptyState title="No proposals">
      “Propose…” in the preview of a change asks others to approve it, and they are listed here.
    </EmptyState>
  );
