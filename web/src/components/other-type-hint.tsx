import { useQuery } from '@tanstack/react-query';
import { Text } from '@mantine/core';
import { countDevices } from '../api/device-counts';
import { kindWords, type DeviceKind } from '../api/kinds';
import { counted } from './counted';
import { filtersOf, type ListFilters } from './list-search';
import { differingValues, withOtherType } from './other-type';
import { RouteLink } from './resource-link';
import { variableFiltersOf, withReplaced } from './variable-filters';

export interface OtherTypeProps {
  readonly kind: DeviceKind;
  readonly project_id: string;
  readonly filters: ListFilters;
}

/** Says if devices match once a number in a filter is a text, or a text a number. */
export function OtherTypeHint({ kind: { kind, collection }, project_id, filters }: OtherTypeProps) {
  const { data: found } = useQuery({
    queryKey: ['device-counts', project_id, kind, filters, 'other-type'],
    queryFn: async ({ signal }) => {
      for (const filter of variableFiltersOf(filters)) {
        const other = withOtherType(filter);
        if (other === undefined) continue;
        const search = withReplaced(filters, filter, [other]);
        const devices = await countDevices(kind, project_id, filtersOf({ ...filters, ...search }), signal);
        if (devices > 0)
          return { text: other.text, search, devices, differing: differingValues(filter, other) };
      }
      return null;
    },
    // The list is there without it.
    retry: false,
  });
  if (!found) return null;
  const { text, search, devices, differing } = found;
  return (
    <Text size="sm" mt="xs" role="status">
      {counted(devices, kindWords(kind), kindWords(collection))} {devices === 1 ? 'matches' : 'match'}{' '}
      <RouteLink to="." search={(former) => ({ ...former, ...search })} size="sm">
        <code>{text}</code>
      </RouteLink>
      : {differing} differ.
    </Text>
  );
}
