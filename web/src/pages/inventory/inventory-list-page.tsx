import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api, unwrap } from '../../api/client';
import { hasVariables, kindTitle, type InventoryKind } from '../../api/kinds';
import { useLocations } from '../../api/locations';
import { inventoryKinds } from '@muster/api-types';
import { useProjectId } from '../../app/use-project';
import { CreateButton } from '../../components/create-button';
import { ColumnChooser } from '../../components/column-chooser';
import { keysOf } from '../../components/variable-column';
import { FilterBar } from '../../components/filter-bar';
import type { FetchPage } from '../../components/keyset-pages';
import { PAGE_SIZE } from '../../components/list-page';
import { filtersOf, membersOfFilters, type ListFilters } from '../../components/list-search';
import { readRows } from '../../components/list-rows';
import { memberColumn, memberColumns, type ListRow } from '../../components/member-columns';
import { sortKeyOf } from '../../components/sort-key';
import { PageTitle } from '../../components/page-title';
import { RouteLink } from '../../components/resource-link';
import { ResourceTable, type Column } from '../../components/resource-table';
import { EmptyState } from '../../components/states';
import { MAX_REGIONS } from './inventory-search';
import { NoSuchPage } from './no-such-page';

const route = getRouteApi('/signed-in/inventory/$collection');

type KindName = InventoryKind['kind'];

/** The column with the number of devices, which is not a member. */
const DEVICES = 'devices';
/** The largest number of regions, cells or labels whose devices are counted. */
const MAX_GROUPS = 10_000;

const DEFAULT_COLUMNS: Readonly<Record<KindName, readonly string[]>> = {
  region: ['name', 'cloud_id', DEVICES, 'labels', 'note', 'updated_at'],
  cell: ['name', 'region_id', DEVICES, 'labels', 'note', 'updated_at'],
  label: ['label', DEVICES, 'created_at', 'updated_at'],
  cloud: ['name', 'note', 'created_at', 'updated_at'],
};

/** The regions, cells, labels or clouds, filtered, in any order, with any columns. */
export function InventoryListPage() {
  const { collection } = route.useParams();
  const kind = inventoryKinds.find((known) => known.collection === collection);
  return kind ? <List key={collection} kind={kind} /> : <NoSuchPage />;
}

function List({ kind }: { readonly kind: InventoryKind }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const project_id = useProjectId();
  const locations = useLocations();
  const { collection } = kind;
  const filters = supported(filtersOf(search), kind);
  const columnIds = search.columns ?? DEFAULT_COLUMNS[kind.kind];
  const nameMember = kind.kind === 'label' ? 'label' : 'name';
  const sort = {
    key: sortKeyOf(kind, search.sort) ?? sortKeyOf(kind, nameMember) ?? 'id',
    direction: search.dir ?? 'asc',
  } as const;
  const counts = useDeviceCounts(kind.kind, project_id, columnIds.includes(DEVICES));
  const devicesColumn = deviceCountColumn(kind.kind, counts);
  const columns = columnIds.flatMap(
    (id) => (id === DEVICES ? devicesColumn : memberColumn(id, { kind, locations })) ?? [],
  );
  const query = listQuery(kind, columnIds, filters, sort, project_id);
  const change = (changed: Partial<typeof search>) => {
    void navigate({ search: (former) => ({ ...former, ...changed }) });
  };
  const title = kindTitle(collection);
  return (
    <>
      <Group justify="space-between" gap="xs">
        <PageTitle title={title} />
        <Group gap="xs">
          <CreateButton
            kind={kind}
            initial={membersOfFilters(filters)}
            isOpen={search.create === true}
            onOpen={(isOpen) => {
              change({ create: isOpen || undefined });
            }}
          />
          <ColumnChooser
            members={[...memberColumns(kind), ...(devicesColumn ? [{ id: DEVICES, title: 'Devices' }] : [])]}
            hasVariables={hasVariables(kind)}
            columns={columnIds}
            onChange={(chosen) => {
              change({ columns: chosen });
            }}
          />
        </Group>
      </Group>
      <FilterBar
        collection={collection}
        filters={kind.filters}
        maxRegions={MAX_REGIONS}
        search={filters}
        onChange={change}
      />
      <ResourceTable
        label={collection}
        queryKey={[collection, 'list', query]}
        fetchPage={fetchPageOf(collection, query)}
        columns={columns}
        sort={sort}
        onSort={({ key, direction }) => {
          change({ sort: key, dir: direction });
        }}
        onOpen={({ id }) => {
          void navigate({
            to: '/inventory/$collection/$id',
            params: { collection, id: String(id) },
            search: {},
          });
        }}
        empty={
          Object.keys(filters).length === 0 ? (
            <EmptyState title={`No ${collection} yet`}>
              Create one with “New {kind.kind}” above, or{' '}
              <RouteLink to="/import" size="sm">
                import a file
              </RouteLink>
              .
            </EmptyState>
          ) : (
            <EmptyState title={`No ${kind.kind} matches`}>Remove a filter.</EmptyState>
          )
        }
      />
    </>
  );
}

/** The filters that a list has. A link may have others. */
function supported(filters: ListFilters, kind: InventoryKind): ListFilters {
  const names: readonly string[] = kind.filters;
  return Object.fromEntries(Object.entries(filters).filter(([name]) => names.includes(name)));
}

/** The parameters of the list without its pages. */
function listQuery(
  kind: InventoryKind,
  columns: readonly string[],
  filters: ListFilters,
  sort: { readonly key: string; readonly direction: string },
  project_id: string,
) {
  const keys = hasVariables(kind) ? keysOf(columns) : [];
  const fields: readonly string[] = kind.fields;
  const shown = fields.filter((field) => columns.includes(field) || ['id', 'name', 'label'].includes(field));
  // Cells inherit: their values are explained. Regions and labels only have their own.
  const isExplained = kind.kind === 'cell';
  return {
    ...filters,
    project_id,
    fields: keys.length > 0 && !isExplained ? [...shown, 'variables'] : shown,
    ...(keys.length > 0 && isExplained ? { explain: keys } : {}),
    sort_keys: [sort.key],
    sort_dir: sort.direction,
    limit: PAGE_SIZE,
  };
}

const fetchPageOf =
  (collection: string, query: Readonly<Record<string, unknown>>): FetchPage<ListRow> =>
  (marker, signal) =>
    readRows(collection, { ...query, marker }, signal);

/** The number of devices of each region, cell or label that has any; undefined until it is read. */
function useDeviceCounts(
  kind: KindName,
  project_id: string,
  isShown: boolean,
): ReadonlyMap<number, number> | undefined {
  const group = kind === 'cloud' ? 'region' : kind;
  const { data } = useQuery({
    queryKey: ['device-counts', project_id, 'by', group],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/v1/devices/counts', {
          params: { query: { project_id, group_by: [group], limit: MAX_GROUPS } },
          signal,
        }),
      ),
    enabled: isShown && kind !== 'cloud',
  });
  return data && new Map(data.groups.map((item) => [item[group]?.id ?? 0, item.devices]));
}

/** How many devices belong to each item, and a link to them. Devices are not counted by clouds. */
function deviceCountColumn(
  kind: KindName,
  counts: ReadonlyMap<number, number> | undefined,
): Column<ListRow> | undefined {
  if (kind === 'cloud') return undefined;
  return {
    id: DEVICES,
    header: 'Devices',
    width: 90,
    isNumeric: true,
    render: (row) =>
      counts && (
        <RouteLink to="/devices" search={devicesOf(kind, row)} tabIndex={-1} size="sm">
          {(counts.get(row.id) ?? 0).toLocaleString()}
        </RouteLink>
      ),
  };
}

const devicesOf = (kind: KindName, { id, label }: ListRow) =>
  kind === 'region'
    ? { region_id: [id] }
    : kind === 'cell'
      ? { cell_id: [id] }
      : { label: label === undefined ? undefined : [label] };
