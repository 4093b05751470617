import { Stack, Tabs, Text, Title } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { isUndecided, type Proposal, type ProposalPreview } from '../../api/proposals';
import { ChangeImpact } from '../../components/change-impact';
import { ChangedObjectList } from '../../components/changed-object-list';
import { ChangedObjects } from '../../components/changed-objects';
import { counted } from '../../components/counted';
import { Impact } from '../../components/impact';
import { ImpactGroups } from '../../components/impact-groups';
import { PreviewContext, previewOf } from '../../components/preview-context';
import { EmptyState, LoadingState } from '../../components/states';
import { Operations } from './operations';
import type { PreviewQuery } from './proposal-query';
import { PROPOSAL_TABS } from './proposal-search';

const route = getRouteApi('/signed-in/proposals/$id');
const count = new Intl.NumberFormat();

interface Props {
  readonly proposal: Proposal;
  readonly query: PreviewQuery;
}

/** What the proposal would do now, the devices, and the operations as they were sent. Once it is applied, what its change did. */
export function ProposalTabs({ proposal, query }: Props) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { change_id } = proposal;
  const shown = isUndecided(proposal)
    ? PROPOSAL_TABS
    : change_id === null
      ? (['operations'] as const)
      : (['effect', 'operations'] as const);
  const tab = shown.find((known) => known === search.tab) ?? shown[0];
  const preview = query.data?.pages[0];
  const titles = {
    effect: change_id === null ? 'What it does' : 'What it did',
    devices: `Devices${preview?.impact ? ` (${count.format(preview.impact.devices)})` : ''}`,
    operations: `Operations (${count.format(proposal.operations_total)})`,
  };
  return (
    <Tabs
      value={tab}
      keepMounted={false}
      onChange={(value) => {
        const chosen = shown.find((known) => known === value);
        void navigate({ search: { tab: chosen === 'effect' ? undefined : chosen } });
      }}
    >
      <Tabs.List>
        {shown.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {titles[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={tab} pt="sm">
        {tab === 'operations' ? (
          <Operations proposal={proposal} />
        ) : change_id !== null ? (
          <Stack gap="sm">
            <ChangedObjects id={change_id} />
            <ChangeImpact id={change_id} devices={null} />
          </Stack>
        ) : query.isPending ? (
          <LoadingState what="the preview" />
        ) : (
          preview && (
            <PreviewContext value={previewOf(preview.change?.objects)}>
              {tab === 'effect' ? <Effect preview={preview} /> : <Devices query={query} />}
            </PreviewContext>
          )
        )}
      </Tabs.Panel>
    </Tabs>
  );
}

function Effect({ preview: { change, impact } }: { readonly preview: ProposalPreview }) {
  if (!change || !impact)
    return (
      <EmptyState title="No preview">
        It cannot be applied as it is, so nothing can be said of its effect.
      </EmptyState>
    );
  const others = change.objects_total - change.objects.length;
  return (
    <Stack gap="sm">
      <ChangedObjectList objects={change.objects} />
      {others > 0 && <Text size="sm">And {counted(others, 'more resource')}.</Text>}
      <Title order={2}>
        {impact.devices === 0
          ? 'No device resolves another value'
          : `${counted(impact.devices, 'device resolves', 'devices resolve')} another value`}
      </Title>
      {impact.devices > 0 && <ImpactGroups groups={impact.groups} total={impact.groups_total} />}
    </Stack>
  );
}

function Devices({ query: { data, hasNextPage, fetchNextPage, isFetchingNextPage } }: Pick<Props, 'query'>) {
  const items = data?.pages.flatMap(({ impact }) => impact?.items ?? []) ?? [];
  if (items.length === 0)
    return <EmptyState title="No devices">No device would resolve another value.</EmptyState>;
  return (
    <Impact
      devices={data?.pages[0]?.impact?.devices ?? 0}
      groups={undefined}
      groupsTotal={undefined}
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
  );
}
