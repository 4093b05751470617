import { Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { linkOptions } from '@tanstack/react-router';
import { api, unwrap } from '../../api/client';
import { defaultKind, deviceKind, kindTitle, type DeviceKind } from '../../api/kinds';
import { deviceKinds } from '@muster/api-types';
import { useProjectId } from '../../app/use-project';
import { counted } from '../../components/counted';
import { ErrorState, LoadingState } from '../../components/states';
import { WaysIn } from '../../components/lazy-ways-in';
import { ValueBars } from '../../components/value-bars';

/** More regions than this are not shown: the largest ones are. */
const MAX_REGIONS = 15;
/** The combinations of kind and state. */
const MAX_STATES = 2 * deviceKinds.length;

type GroupBy = 'region' | 'kind' | 'active';

/** The numbers of devices. A list of devices has one kind, so regions count the default kind. */
function useCounts(group_by: GroupBy[], limit: number, kind?: DeviceKind['kind']) {
  const project_id = useProjectId();
  const query = { project_id, group_by, limit, ...(kind === undefined ? {} : { kind }) };
  return useQuery({
    queryKey: ['device-counts', project_id, 'groups', query],
    queryFn: ({ signal }) => unwrap(api.GET('/v1/devices/counts', { params: { query }, signal })),
  });
}

/** Devices by kind and state, and those of the default kind by region. */
export function DeviceCounts() {
  const states = useCounts(['kind', 'active'], MAX_STATES);
  const regions = useCounts(['region'], MAX_REGIONS, defaultKind.kind);
  const error = states.error ?? regions.error;
  if (error && !(states.data && regions.data)) {
    const retry = () => void Promise.all([states.refetch(), regions.refetch()]);
    return <ErrorState error={error} what="the numbers" onRetry={retry} />;
  }
  if (!states.data || !regions.data) return <LoadingState what="the numbers" />;
  if (states.data.devices === 0) return <WaysIn />;
  const byRegion = `${kindTitle(defaultKind.collection)} by region`;
  const hidden = regions.data.group_count - regions.data.groups.length;
  return (
    <>
      <Title order={3}>By kind and state</Title>
      <ValueBars
        label="Devices by kind and state"
        bars={states.data.groups.map(({ kind, active, devices }) => {
          const collection = (deviceKind(kind ?? '') ?? defaultKind).collection;
          return {
            id: `${collection}/${String(active)}`,
            name: `${kindTitle(collection)}, ${active === true ? 'active' : 'inactive'}`,
            count: devices,
            link: linkOptions({ to: '/devices', search: { collection, active } }),
          };
        })}
      />
      <Title order={3}>{byRegion}</Title>
      <ValueBars
        label={byRegion}
        total={regions.data.devices}
        bars={regions.data.groups.map(({ region, devices }) => ({
          id: String(region?.id),
          name: region?.name,
          count: devices,
          level: 'region' as const,
          link: linkOptions({ to: '/devices', search: { region_id: region && [region.id] } }),
        }))}
      />
      {hidden > 0 && <p>{counted(hidden, 'more region')}</p>}
    </>
  );
}
