import { Group } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api, unwrap } from '../../api/client';
import { hasVariables, kindTitle, type InventoryKind } from '../../api/kinds';
import { useLocations } from '../../api/locations';
import { deviceKinds, inventoryKinds } from '@muster/api-types';
import { unknownParameter, type UnreadableParameter } from '../../app/search-params';
import { useProjectId } from '../../app/use-project';
import { CreateButton } from '../../components/create-button';
import { ColumnChooser } from '../../components/column-chooser';
import { keysOf } from '../../components/variable-column';
import { FilterBar } from '../../components/filter-bar';
import type { FetchPage } from '../../components/keyset-pages';
import { PAGE_SIZE } from '../../components/list-page';
import { filtersOf, membersOfFilters, type ListFilters } from '../../components/list-search';
import { readRows } from '../../components/list-rows';
import { isColumn, memberColumn, memberColumns, type ListRow } from '../../components/member-columns';
import { sortKeyOf } from '../../components/sort-key';
import { PageTitle } from '../../components/page-title';
import { RouteLink } from '../../components/resource-link';
import { ResourceTable, type Column } from '../../components/resource-table';
import { EmptyState } from '../../components/states';
import { UnreadableAddress } from '../../components/unreadable-address';
import { MAX_REGIONS } from './inventory-search';
import { NoSuchPage } from './no-such-page';

const route = getRouteApi('/signed-in/inventory/$collection');

type KindName = InventoryKind['kind'];

/** The columns with the numbers of devices, which are no members: one for each kind, as a list of devices has one kind. */
const DEVICES = 'devices';
/** Of a column with numbers of devices, in pixels: as wide as its title. */
const COUNT_WIDTH = 124;
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
  const filters = filtersOf(route.useSearch());
  const kind = inventoryKinds.find((known) => known.collection === collection);
  if (!kind) return <NoSuchPage />;
  const unknown = unknownFilters(filters, kind);
  if (unknown.length > 0) return <UnreadableAddress parameters={unknown} />;
  return <List key={collection} kind={kind} />;
}

function List({ kind }: { readonly kind: InventoryKind }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const project_id = useProjectId();
  const locations = useLocations();
  const { collection } = kind;
  const filters = filtersOf(search);
  const isShown = (id: string) => isColumn(id, kind) || (id === DEVICES && kind.kind !== 'cloud');
  const columnIds = search.columns?.some(isShown) ? search.columns : DEFAULT_COLUMNS[kind.kind];
  const nameMember = kind.kind === 'label' ? 'label' : 'name';
  const sort = {
    key: sortKeyOf(kind, search.sort) ?? sortKeyOf(kind, nameMember) ?? 'id',
    direction: search.dir ?? 'asc',
  } as const;
  const counts = useDeviceCounts(kind.kind, project_id, columnIds.includes(DEVICES));
  const devicesColumns = deviceCountColumns(kind.kind, counts);
  const columns = columnIds.flatMap((id) =>
    id === DEVICES ? devicesColumns : (memberColumn(id, { kind, locations }) ?? []),
  );
  const query = listQuery(kind, columnIds, filters, sort, project_id);
  const change = (changed: Partial<typeof search>, replace = false) => {
    void navigate({ search: (former) => ({ ...former, ...changed }), replace });
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
              // Back opens no form that was closed.
              change({ create: isOpen || undefined }, !isOpen);
            }}
          />
          <ColumnChooser
            members={[
              ...memberColumns(kind),
              ...(devicesColumns.length > 0 ? [{ id: DEVICES, title: 'Devices' }] : []),
            ]}
            hasVariables={hasVariables(kind)}
            columns={columnIds}
            onChange={(chosen) => {
              change({ columns: chosen });
            }}
          />
        </Group>
      </Group>
      <FilterBar filters={kind.filters} maxRegions={MAX_REGIONS} search={filters} onChange={change} />
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
        offersNewer
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

/** The filters of a link that the list does not have. */
function unknownFilters(filters: ListFilters, kind: InventoryKind): readonly UnreadableParameter[] {
  const names: readonly string[] = kind.filters;
  return Object.entries(filters)
    .filter(([name]) => !names.includes(name))
    .map(([name, value]) => unknownParameter(name, value));
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

/** The number of devices of a region, cell or label; undefined until it is read, and if there are too many of these. */
type CountOf = (id: number) => number | undefined;

/** The numbers of devices of each kind. */
function useDeviceCounts(kind: KindName, project_id: string, isShown: boolean): readonly CountOf[] {
  const group = kind === 'cloud' ? 'region' : kind;
  const counts = useQueries({
    queries: deviceKinds.map(({ kind: of }) => ({
      queryKey: ['device-counts', project_id, 'by', group, of],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        unwrap(
          api.GET('/v1/devices/counts', {
            params: { query: { project_id, kind: of, group_by: [group], limit: MAX_GROUPS } },
            signal,
          }),
        ),
      enabled: isShown && kind !== 'cloud',
    })),
  });
  return counts.map(({ data }) => {
    const known = new Map(data?.groups.map((item) => [item[group]?.id ?? 0, item.devices]));
    const isComplete = data !== undefined && data.groups.length === data.group_count;
    return (id) => known.get(id) ?? (isComplete ? 0 : undefined);
  });
}

/** How many devices belong to each item, and links to them. Devices are not counted by clouds. */
const deviceCountColumns = (kind: KindName, counts: readonly CountOf[]): readonly Column<ListRow>[] =>
  kind === 'cloud'
    ? []
    : deviceKinds.map(({ collection }, i) => ({
        id: `${DEVICES}:${collection}`,
        header: kindTitle(collection),
        sorting: {
          reason: 'Lists cannot be sorted by numbers of devices.',
          // The map does not draw labels.
          instead: kind !== 'label' && (
            <>
              The{' '}
              <RouteLink to="/map" size="sm" underline="always">
                fleet map
              </RouteLink>{' '}
              draws regions and cells as wide as they have devices.
            </>
          ),
        },
        width: COUNT_WIDTH,
        isNumeric: true,
        render: (row) => {
          const number = counts[i]?.(row.id);
          return (
            number !== undefined && (
              <RouteLink to="/devices" search={{ collection, ...devicesOf(kind, row) }} size="sm">
                {number.toLocaleString()}
              </RouteLink>
            )
          );
        },
      }));

const devicesOf = (kind: KindName, { id, label }: ListRow) =>
  kind === 'region'
    ? { region_id: [id] }
    : kind === 'cell'
      ? { cell_id: [id] }
      : { label: label === undefined ? undefined : [label] };
