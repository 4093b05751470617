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
import { HoldKeys } from '../../components/held-keys';
import { FilterBar } from '../../components/filter-bar';
import { DEVICE_FILTERS, membersOfFilters } from '../../components/list-search';
import { memberColumn, memberColumns } from '../../components/member-columns';
import classes from './device-list-page.module.css';
import { deviceListOf, listedColumns, listedKind } from './device-list-query';
import { awaitedEdit, withAction, withKey, type CellAction, type EditAction } from './edit/cell-action';
import { NO_FAULTS } from './edit/cell-edit';
import { NO_HISTORY } from './edit/edit-history';
import { editedColumns } from './edit/edited-columns';
import { CellEditing } from './edit/lazy-cell-editing';
import { DeviceTable } from './device-table';
import { ExportMenu } from './export-menu';

const FleetTree = lazyComponent(() => import('./fleet-tree').then(({ FleetTree: component }) => component));

const route = getRouteApi('/signed-in/devices');

/** The devices of one kind, filtered, in any order, with any columns. */
export function DeviceListPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const project_id = useProjectId();
  const kind = listedKind(search);
  const locations = useLocations();
  const columnIds = listedColumns(search);
  const list = deviceListOf(search, project_id);
  const { collection } = kind;
  const { filters } = list;
  const [history, setHistory] = useState(NO_HISTORY);
  const { edits } = history;
  const [faults, setFaults] = useState(NO_FAULTS);
  // What was done with cells, and waits for the code that does it.
  const [waiting, setWaiting] = useState<readonly CellAction[]>([]);
  const [header, setHeader] = useState<HTMLElement | null>(null);
  const [target, setTarget] = useState<CellTarget>();
  const [editing, setEditing] = useState<EditAction>();
  const [hasActed, setActed] = useState(false);
  const [isPreviewing, setPreviewing] = useState(false);
  const columns = editedColumns(
    columnIds.flatMap((id) => memberColumn(id, { kind, locations }) ?? []),
    edits,
    faults,
  );
  const change = (changed: Partial<typeof search>) => {
    void navigate({ search: (former) => ({ ...former, ...changed }) });
  };
  const act = (next: CellAction) => {
    setActed(true);
    setWaiting((now) => withAction(now, next));
  };
  const preview = () => {
    setPreviewing(true);
    act({ type: 'preview', isEarly: waiting.length > 0 });
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
          onAction={act}
          awaited={
            awaitedEdit(waiting) && {
              onKey: (key) => {
                setWaiting((now) => withKey(now, key));
              },
              onPreview: preview,
            }
          }
          onPreview={hasActed ? preview : undefined}
          canUndo={history.before.length > 0}
          target={target}
          onTargetDone={() => {
            setTarget(undefined);
          }}
        />
      </div>
      {/* What is typed until the preview is shown is its reason. */}
      {isPreviewing && <HoldKeys />}
      {hasActed && (
        <CellEditing
          context={{ kind, locations, edits }}
          list={list}
          columns={columns.map(({ id }) => id)}
          waiting={waiting}
          onTake={(taken) => {
            setWaiting((now) => now.filter((one) => one !== taken));
            if (taken.type === 'edit') setEditing(taken);
          }}
          editing={editing}
          onEditingDone={() => {
            setEditing(undefined);
          }}
          onPreview={preview}
          onPreviewed={() => {
            setPreviewing(false);
          }}
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
