import { Button, Group, SegmentedControl } from '@mantine/core';
import { ListBulletIcon } from '@radix-ui/react-icons';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { defaultKind, deviceCollections, kindTitle } from '../../api/kinds';
import { useLocations } from '../../api/locations';
import { deviceKinds } from '@muster/api-types';
import { useProjectId } from '../../app/use-project';
import { lazyComponent } from '../../components/lazy-component';
import { CreateButton } from '../../components/create-button';
import { PageTitle } from '../../components/page-title';
import { RouteLink } from '../../components/resource-link';
import { ColumnChooser } from '../../components/column-chooser';
import { keysOf } from '../../components/variable-column';
import { FilterBar } from '../../components/filter-bar';
import { DEVICE_FILTERS, filtersOf, membersOfFilters } from '../../components/list-search';
import { memberColumn, memberColumns, sortKeyOf } from '../../components/member-columns';
import classes from './device-list-page.module.css';
import { followedBy, type CellAction } from './edit/cell-action';
import { NO_EDITS } from './edit/cell-edit';
import { editedColumns } from './edit/edited-columns';
import { CellEditing } from './edit/lazy-cell-editing';
import { DeviceTable } from './device-table';
import { ExportMenu } from './export-menu';

const DEFAULT_COLUMNS = ['name', 'region_id', 'cell_id', 'ip_address', 'device_type', 'active', 'labels'];

/** Members that opening and changing a device need. */
const NEEDED: ReadonlySet<string> = new Set(['id', 'name', 'labels', 'version', 'region_id', 'cell_id']);

const FleetTree = lazyComponent(() => import('./fleet-tree').then(({ FleetTree: component }) => component));

const route = getRouteApi('/signed-in/devices');

/** The devices of one kind, filtered, in any order, with any columns. */
export function DeviceListPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const kind = deviceKinds.find(({ collection }) => collection === search.collection) ?? defaultKind;
  const { collection } = kind;
  const filters = filtersOf(search);
  const locations = useLocations();
  const columnIds = search.columns ?? DEFAULT_COLUMNS;
  const sort = {
    key: sortKeyOf(kind, search.sort) ?? sortKeyOf(kind, 'name') ?? 'id',
    direction: search.dir ?? 'asc',
  } as const;
  const keys = keysOf(columnIds);
  const fields = kind.fields.filter((field) => columnIds.includes(field) || NEEDED.has(field));
  const [edits, setEdits] = useState(NO_EDITS);
  const [action, setAction] = useState<CellAction>();
  const [isEditing, setEditing] = useState(false);
  const columns = editedColumns(
    columnIds.flatMap((id) => memberColumn(id, { kind, locations }) ?? []),
    edits,
  );
  const project_id = useProjectId();
  const change = (changed: Partial<typeof search>) => {
    void navigate({ search: (former) => ({ ...former, ...changed }) });
  };

  return (
    <>
      <Group justify="space-between" gap="xs">
        <Group gap="sm">
          <PageTitle title="Devices" />
          <SegmentedControl
            aria-label="Kind of device"
            value={collection}
            data={deviceCollections.map((value) => ({ value, label: kindTitle(value) }))}
            onChange={(value) => {
              change({ collection: value });
            }}
          />
        </Group>
        <Group gap="xs">
          <CreateButton
            kind={kind}
            initial={membersOfFilters(filters)}
            isOpen={search.create === true}
            onOpen={(isOpen) => {
              change({ create: isOpen || undefined });
            }}
          />
          <Button
            variant="default"
            aria-pressed={search.tree === true}
            leftSection={<ListBulletIcon aria-hidden />}
            onClick={() => {
              change({ tree: search.tree ? undefined : true });
            }}
          >
            Places
          </Button>
          <RouteLink to="/import" size="sm">
            Import
          </RouteLink>
          <ExportMenu kind={kind} filters={filters} />
          <ColumnChooser
            members={memberColumns(kind)}
            columns={columnIds}
            onChange={(chosen) => {
              change({ columns: chosen });
            }}
          />
        </Group>
      </Group>
      <FilterBar collection={collection} filters={DEVICE_FILTERS} search={search} onChange={change} />
      <div className={classes.layout}>
        {search.tree && (
          <div className={classes.tree}>
            <FleetTree kind={kind.kind} filters={filters} onSelect={change} />
          </div>
        )}
        <DeviceTable
          key={JSON.stringify([collection, filters])}
          kind={kind}
          filters={filters}
          columns={columns}
          keys={keys}
          fields={fields}
          sort={sort}
          onSort={({ key, direction }) => {
            change({ sort: key, dir: direction });
          }}
          onAction={(next) => {
            setEditing(true);
            setAction((former) => followedBy(former, next));
          }}
        />
      </div>
      {isEditing && (
        <CellEditing
          context={{ kind, places: locations, edits }}
          list={{ collection, project_id, filters, sort, fields, keys }}
          columns={columns.map(({ id }) => id)}
          action={action}
          onActionDone={() => {
            setAction(undefined);
          }}
          onEdits={setEdits}
        />
      )}
    </>
  );
}
