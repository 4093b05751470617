import { Button, Group, SegmentedControl } from '@mantine/core';
import { ListBulletIcon } from '@radix-ui/react-icons';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { deviceCollections, kindTitle } from '../../api/kinds';
import { useLocations } from '../../api/locations';
import { useProjectId } from '../../app/use-project';
import { lazyComponent } from '../../components/lazy-component';
import { CreateButton } from '../../components/create-button';
import { PageTitle } from '../../components/page-title';
import { RouteLink } from '../../components/resource-link';
import type { CellTarget } from '../../components/cell-target';
import { ColumnChooser } from '../../components/column-chooser';
import { FilterBar } from '../../components/filter-bar';
import { DEVICE_FILTERS, membersOfFilters } from '../../components/list-search';
import { isColumn, memberColumn, memberColumns } from '../../components/member-columns';
import classes from './device-list-page.module.css';
import { deviceListOf, listedColumns, listedKind } from './device-list-query';
import { NO_FAULTS } from './edit/cell-edit';
import { NO_HISTORY } from './edit/edit-history';
import { editedColumns } from './edit/edited-columns';
import { CellEditing } from './edit/lazy-cell-editing';
import { useEditQueue } from './edit/use-edit-queue';
import { DeviceTable } from './device-table';
import { ExportMenu } from './export-menu';

const FleetTree = lazyComponent(() => import('./fleet-tree').then(({ FleetTree: component }) => component));

const route = getRouteApi('/signed-in/devices');

/** The devices of one kind, filtered, in any order, with any columns. */
export function DeviceListPage() {
  const read = route.useSearch();
  const navigate = route.useNavigate();
  const project_id = useProjectId();
  const kind = listedKind(read);
  // Unknown columns count as absent.
  const search = read.columns?.some((id) => isColumn(id, kind)) ? read : { ...read, columns: undefined };
  const locations = useLocations();
  const columnIds = listedColumns(search);
  const list = deviceListOf(search, project_id);
  const { collection } = kind;
  const { filters } = list;
  const [history, setHistory] = useState(NO_HISTORY);
  const { edits } = history;
  const [faults, setFaults] = useState(NO_FAULTS);
  const queue = useEditQueue();
  const [header, setHeader] = useState<HTMLElement | null>(null);
  const [target, setTarget] = useState<CellTarget>();
  const columns = editedColumns(
    columnIds.flatMap((id) => memberColumn(id, { kind, locations }) ?? []),
    edits,
    faults,
  );
  const change = (changed: Partial<typeof search>, replace = false) => {
    void navigate({ search: (former) => ({ ...former, ...changed }), replace });
  };

  return (
    <>
      <Group ref={setHeader} justify="space-between" gap="xs" className={classes.header}>
        <Group gap="sm">
          <PageTitle title="Devices" />
          <SegmentedControl
            className={classes.covered}
            aria-label="Kind of device"
            value={collection}
            data={deviceCollections.map((value) => ({ value, label: kindTitle(value) }))}
            onChange={(value) => {
              change({ collection: value });
            }}
          />
        </Group>
        <Group gap="xs" className={classes.covered}>
          <CreateButton
            kind={kind}
            initial={membersOfFilters(filters)}
            isOpen={search.create === true}
            onOpen={(isOpen) => {
              // Back opens no form that was closed.
              change({ create: isOpen || undefined }, !isOpen);
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
            Locations
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
      <FilterBar filters={DEVICE_FILTERS} search={search} onChange={change} />
      <div className={classes.layout}>
        {search.tree && (
          <div className={classes.tree}>
            <FleetTree kind={kind.kind} filters={filters} onSelect={change} />
          </div>
        )}
        <DeviceTable
          header={header}
          key={JSON.stringify([collection, filters])}
          kind={kind}
          list={list}
          columns={columns}
          onSort={({ key, direction }) => {
            change({ sort: key, dir: direction });
          }}
          queue={queue}
          canUndo={history.before.length > 0}
          target={target}
          onTargetDone={() => {
            setTarget(undefined);
          }}
        />
      </div>
      {queue.hasActed && (
        <CellEditing
          context={{ kind, locations, edits }}
          list={list}
          columns={columns.map(({ id }) => id)}
          queue={queue}
          history={history}
          onHistory={setHistory}
          faults={faults}
          onFaults={setFaults}
          onGoTo={setTarget}
        />
      )}
    </>
  );
}
