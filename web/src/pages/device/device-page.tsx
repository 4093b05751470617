import { Group, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ApiError } from '@muster/api-types';
import type { DeviceKind } from '../../api/kinds';
import { deviceKinds } from '@muster/api-types';
import { lazyComponent } from '../../components/lazy-component';
import { LevelMark } from '../../components/level-mark';
import { MemberEditor } from '../../components/member-editor';
import { PageTitle } from '../../components/page-title';
import { RawJson } from '../../components/raw-json';
import { ResourceActions } from '../../components/resource-actions';
import classes from '../../components/resource-page.module.css';
import { RouteLink } from '../../components/resource-link';
import { ResourceProject } from '../../components/resource-project';
import { EmptyState, ErrorState, LoadingState } from '../../components/states';
import { DeviceState } from '../../components/device-state';
import { DeviceMembers } from './device-members';
import { deviceQuery } from './device-query';
import { DeviceVariables } from './device-variables';
import { DEVICE_TABS } from './device-search';

const route = getRouteApi('/signed-in/devices/$collection/$id');

// Only the first tab is needed at once.
const History = lazyComponent(
  () => import('../../components/history').then(({ History: component }) => component),
  { fallback: <LoadingState what="the history" /> },
);

const DeviceTimeline = lazyComponent(
  () => import('./device-timeline').then(({ DeviceTimeline: component }) => component),
  { fallback: <LoadingState what="the timeline" /> },
);

const DeviceHierarchy = lazyComponent(
  () => import('./device-hierarchy').then(({ DeviceHierarchy: component }) => component),
  { fallback: <LoadingState what="the hierarchy" /> },
);

const TITLES: Readonly<Record<(typeof DEVICE_TABS)[number], string>> = {
  variables: 'Variables',
  timeline: 'Timeline',
  children: 'Hierarchy',
  history: 'History',
  raw: 'JSON',
};

/** One device: its members, its variables and where they come from, and its history. */
export function DevicePage() {
  const params = route.useParams();
  const kind = deviceKinds.find(({ collection }) => collection === params.collection);
  const id = Number(params.id);
  if (!kind || !Number.isSafeInteger(id))
    return (
      <ErrorState
        isPage
        what="the device"
        error={new ApiError(404, 'not_found', 'There is no such device.', [], undefined)}
      />
    );
  return <Device key={`${kind.collection}/${id}`} kind={kind} id={id} />;
}

interface Props {
  readonly kind: DeviceKind;
  readonly id: number;
}

function Device({ kind, id }: Props) {
  const { collection } = kind;
  const { tab = 'variables', at } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: device, error, refetch } = useQuery(deviceQuery(collection, id, at));
  if (error && !device)
    return <ErrorState isPage error={error} what="the device" onRetry={() => void refetch()} />;
  if (!device) return <LoadingState what="the device" />;
  const owner = { kind: kind.kind, collection, id, name: device.name };
  return (
    <ResourceProject id={device.project_id}>
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <PageTitle title={device.name}>
            <LevelMark level="device">{device.name}</LevelMark>
          </PageTitle>
          <DeviceState isActive={device.active} />
        </Group>
        <Group gap="xs">
          <RouteLink
            to="/compare"
            search={{ collection, left: id, left_at: at, right: at === undefined ? undefined : id }}
            size="sm"
          >
            Compare
          </RouteLink>
          {at === undefined && (
            <>
              <MemberEditor owner={owner} members={kind.update} resource={device} />
              <ResourceActions kind={kind} name={device.name} resource={device} />
            </>
          )}
        </Group>
      </Group>
      <div className={classes.columns}>
        <Tabs
          className={classes.main}
          value={tab}
          keepMounted={false}
          onChange={(value) => {
            const chosen = DEVICE_TABS.find((known) => known === value);
            void navigate({
              search: (former) => ({ ...former, tab: chosen === 'variables' ? undefined : chosen }),
            });
          }}
        >
          <Tabs.List>
            {DEVICE_TABS.map((name) => (
              <Tabs.Tab key={name} value={name}>
                {TITLES[name]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value="variables" pt="sm">
            <DeviceVariables owner={owner} collection={collection} at={at} />
          </Tabs.Panel>
          <Tabs.Panel value="timeline" pt="sm">
            <DeviceTimeline collection={collection} id={id} />
          </Tabs.Panel>
          <Tabs.Panel value="children" pt="sm">
            {at === undefined ? (
              <DeviceHierarchy collection={collection} device={device} />
            ) : (
              // Lists do not know the past.
              <EmptyState title="Not known for the past">
                Ancestors and descendants are shown only as they are now. The parent at this time, if any, is
                a member.
              </EmptyState>
            )}
          </Tabs.Panel>
          <Tabs.Panel value="history" pt="sm">
            <History kind={kind.kind} collection={collection} id={id} />
          </Tabs.Panel>
          <Tabs.Panel value="raw" pt="sm">
            <RawJson resource={device} />
          </Tabs.Panel>
        </Tabs>
        <DeviceMembers owner={owner} device={device} collection={collection} isEditable={at === undefined} />
      </div>
    </ResourceProject>
  );
}
