import { deviceKinds } from '@muster/api-types';
import type { QueryClient } from '@tanstack/react-query';
import type * as v from 'valibot';
import { defaultKind } from '../../api/kinds';
import { pageKey } from '../../components/list-page';
import { filtersOf } from '../../components/list-search';
import { sortKeyOf } from '../../components/sort-key';
import { keysOf } from '../../components/variable-column';
import type { deviceListSearch } from './device-list-search';
import { type DeviceList, fetchPageOf } from './device-rows';

type DeviceListSearch = v.InferOutput<typeof deviceListSearch>;

const DEFAULT_COLUMNS = ['name', 'region_id', 'cell_id', 'ip_address', 'device_type', 'active', 'labels'];

/** Members that opening and changing a device need. */
const NEEDED: ReadonlySet<string> = new Set(['id', 'name', 'labels', 'version', 'region_id', 'cell_id']);

/** How long (ms) the first page is kept before the list is shown. */
const PREFETCH_LIFETIME = 20_000;

/** The kind of the listed devices. */
export const listedKind = ({ collection }: DeviceListSearch) =>
  deviceKinds.find((kind) => kind.collection === collection) ?? defaultKind;

export const listedColumns = ({ columns = DEFAULT_COLUMNS }: DeviceListSearch): string[] => columns;

/** The list that an address shows. */
export function deviceListOf(search: DeviceListSearch, project_id: string): DeviceList {
  const kind = listedKind(search);
  const columns = listedColumns(search);
  return {
    collection: kind.collection,
    project_id,
    filters: filtersOf(search),
    sort: {
      key: sortKeyOf(kind, search.sort) ?? sortKeyOf(kind, 'name') ?? 'id',
      direction: search.dir ?? 'asc',
    },
    fields: kind.fields.filter((field) => columns.includes(field) || NEEDED.has(field)),
    keys: keysOf(columns),
  };
}

/** Identifies a list in the cache. */
export const listKey = ({ collection, project_id, filters, sort, fields, keys }: DeviceList) => [
  collection,
  'list',
  project_id,
  filters,
  sort,
  fields,
  keys,
];

/** Reads the first page of the list while the session and the code of the page are loaded. */
export function prefetchDevices(
  queryClient: QueryClient,
  search: DeviceListSearch,
  project_id: string,
): void {
  const list = deviceListOf(search, project_id);
  queryClient
    .query({
      queryKey: pageKey(listKey(list), 0),
      queryFn: ({ signal }) => fetchPageOf(list)(undefined, signal),
      gcTime: PREFETCH_LIFETIME,
    })
    // The page reads it again, and shows what is wrong.
    .catch(() => undefined);
}
