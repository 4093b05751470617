import { Group, SegmentedControl, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api, unwrap } from '../../api/client';
import { usePlaces } from '../../api/places';
import { deviceKinds } from '../../api/resources';
import { useProjectId } from '../../app/use-project';
import { PAGE_SIZE, type FetchPage } from '../../components/keyset-pages';
import { collectionTitle, deviceCollections, type DeviceCollection } from '../../components/resource-link';
import { ResourceTable } from '../../components/resource-table';
import { EmptyState } from '../../components/states';
import { ColumnChooser, variableOf } from '../../components/column-chooser';
import { FilterBar } from '../../components/filter-bar';
import { filtersOf, type ListFilters } from '../../components/list-search';
import { memberColumn, memberColumns, type ListRow } from '../../components/member-columns';

const DEFAULT_COLUMNS = ['name', 'region_id', 'cell_id', 'ip_address', 'device_type', 'active', 'labels'];

/** The filters that both kinds of devices have. */
const FILTERS = [
  ...['name_prefix', 'cloud_id', 'region_id', 'cell_id'],
  ...['active', 'label', 'device_type', 'ip', 'vars'],
];

const route = getRouteApi('/signed-in/devices');

/** The devices of one kind, filtered, in any order, with any columns. */
export function DeviceListPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const kind = deviceKinds.find(({ collection }) => collection === search.collection) ?? deviceKinds[0];
  const { collection } = kind;
  const project_id = useProjectId();
  const filters = filtersOf(search);
  const places = usePlaces();
  const columnIds = search.columns ?? DEFAULT_COLUMNS;
  const sort = {
    key: kind.sortKeys.find((key) => key === search.sort) ?? 'name',
    direction: search.dir ?? 'asc',
  } as const;
  const keys = columnIds.flatMap((id) => variableOf(id) ?? []);
  const fields = kind.fields.filter(
    (field) => columnIds.includes(field) || field === 'id' || field === 'name',
  );
  const columns = columnIds.flatMap(
    (id) => memberColumn(id, { kind: kind.kind, places, sortKeys: kind.sortKeys }) ?? [],
  );
  const total = useTotal(kind.kind, project_id, filters);
  const change = (changed: Partial<typeof search>) => {
    void navigate({ search: (former) => ({ ...former, ...changed }) });
  };

  return (
    <>
      <Group justify="space-between" gap="xs">
        <Group gap="sm">
          <Title order={1}>Devices</Title>
          <SegmentedControl
            aria-label="Kind of device"
            value={collection}
            data={deviceCollections.map((value) => ({ value, label: collectionTitle(value) }))}
            onChange={(value) => {
              change({ collection: value });
            }}
          />
        </Group>
        <ColumnChooser
          members={memberColumns(kind.fields)}
          columns={columnIds}
          onChange={(chosen) => {
            change({ columns: chosen });
          }}
        />
      </Group>
      <FilterBar key={JSON.stringify(filters)} filters={FILTERS} search={search} onChange={change} />
      <ResourceTable
        label={collectionTitle(collection).toLowerCase()}
        queryKey={[collection, 'list', project_id, filters, sort, fields, keys]}
        fetchPage={fetchPageOf({ collection, project_id, filters, sort, fields, keys })}
        columns={columns}
        sort={sort}
        onSort={({ key, direction }) => {
          change({ sort: key, dir: direction });
        }}
        onOpen={({ id }) => {
          void navigate({
            to: '/devices/$collection/$id',
            params: { collection, id: String(id) },
            search: {},
          });
        }}
        total={total}
        empty={
          Object.keys(filters).length === 0 ? (
            <EmptyState title="No devices yet">
              Create one with <code>muster {kind.kind} create</code>, or import a file with{' '}
              <code>muster import</code>.
            </EmptyState>
          ) : (
            <EmptyState title="No device matches">Remove a filter, or look among the other kinds.</EmptyState>
          )
        }
      />
    </>
  );
}

type Kind = (typeof deviceKinds)[number];

interface List {
  readonly collection: DeviceCollection;
  readonly project_id: string;
  readonly filters: ListFilters;
  readonly sort: { readonly key: Kind['sortKeys'][number]; readonly direction: 'asc' | 'desc' };
  readonly fields: readonly Kind['fields'][number][];
  readonly keys: readonly string[];
}

const fetchPageOf =
  ({ collection, project_id, filters, sort, fields, keys }: List): FetchPage<ListRow> =>
  async (marker, signal) => {
    const query = {
      ...filters,
      project_id,
      fields: [...fields],
      sort_keys: [sort.key],
      sort_dir: sort.direction,
      limit: PAGE_SIZE,
      ...(keys.length === 0 ? {} : { explain: [...keys] }),
      ...(marker === undefined ? {} : { marker }),
    };
    const items = await unwrap(api.GET(`/v1/${collection}`, { params: { query }, signal }));
    return items.map(({ id = 0, ...item }) => ({ id, ...item }));
  };

/** The exact number of devices that match. */
function useTotal(kind: Kind['kind'], project_id: string, filters: ListFilters): number | undefined {
  return useQuery({
    queryKey: ['device-counts', project_id, kind, filters],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/v1/devices/counts', {
          params: { query: { ...filters, project_id, kind } },
          signal,
        }),
      ),
    // The list reports what is wrong with a filter.
    retry: false,
  }).data?.devices;
}
