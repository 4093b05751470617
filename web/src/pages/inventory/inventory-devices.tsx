import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import { collectionOfKind } from '../../api/kinds';
import { useProjectId } from '../../app/use-project';
import { DevicesByKind } from '../../components/devices-by-kind';
import { RouteLink } from '../../components/resource-link';
import { deviceFilterOf, type InventoryItem } from './inventory-query';

interface Props {
  readonly kind: string;
  readonly item: InventoryItem;
  /** Whether the page shows a moment in the past: the numbers are those of now. */
  readonly isPast: boolean;
}

/** How many devices a region, cell, label or cloud has, beside its name: links to their lists. */
export function InventoryDevices({ kind, item, isPast }: Props) {
  const project_id = useProjectId();
  const collection = collectionOfKind(kind);
  const search = deviceFilterOf(kind, item);
  const query = { ...search, project_id, group_by: ['kind' as const] };
  const { data } = useQuery({
    // Belongs to the resource, so that it is not read again once that is deleted.
    queryKey: [collection, item.id, 'device-counts', project_id, search],
    queryFn: ({ signal }) => unwrap(api.GET('/v1/devices/counts', { params: { query }, signal })),
  });
  return (
    <Text span size="sm">
      {data ? (
        <DevicesByKind counts={data.groups} search={search} />
      ) : (
        <RouteLink to="/devices" search={search} size="sm">
          Its devices
        </RouteLink>
      )}
      {isPast && ' now'}
    </Text>
  );
}
