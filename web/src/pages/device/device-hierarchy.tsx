import { SegmentedControl } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { lazyComponent } from '../../components/lazy-component';
import type { DeviceCollection } from '../../api/kinds';
import { LoadingState } from '../../components/states';
import { DeviceChildren } from './device-children';
import type { DeviceView } from './device-members';
import { HIERARCHY_VIEWS } from './device-search';

const route = getRouteApi('/signed-in/devices/$collection/$id');

const DeviceGraph = lazyComponent(
  () => import('./device-graph').then(({ DeviceGraph: component }) => component),
  {
    fallback: <LoadingState what="the graph" />,
  },
);

const TITLES: Readonly<Record<(typeof HIERARCHY_VIEWS)[number], string>> = { graph: 'Graph', tree: 'Tree' };

interface Props {
  readonly collection: DeviceCollection;
  readonly device: DeviceView;
}

/** The ancestors and the descendants of a device as a graph, or all descendants as a tree. */
export function DeviceHierarchy({ collection, device }: Props) {
  const { view = HIERARCHY_VIEWS[0] } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <SegmentedControl
        aria-label="View of the hierarchy"
        mb="xs"
        value={view}
        data={HIERARCHY_VIEWS.map((value) => ({ value, label: TITLES[value] }))}
        onChange={(value) => {
          void navigate({
            search: (former) => ({ ...former, view: value === HIERARCHY_VIEWS[0] ? undefined : value }),
          });
        }}
      />
      {view === 'tree' ? (
        <DeviceChildren id={device.id} name={device.name} isRoot />
      ) : (
        <DeviceGraph device={{ ...device, collection }} projectId={device.project_id} />
      )}
    </>
  );
}
