import { VisuallyHidden } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { linkOptions, useNavigate } from '@tanstack/react-router';
import { createPortal } from 'react-dom';
import { countDevices } from '../../api/device-counts';
import { kindWords, type DeviceKind } from '../../api/kinds';
import { NOTHING_TYPED } from '../../components/pending-editor';
import type { CellTarget } from '../../components/cell-target';
import type { CellActions } from '../../components/grid-cursor';
import { useRememberedState } from '../../components/list-position';
import type { ListFilters } from '../../components/list-search';
import type { ListRow } from '../../components/member-columns';
import { NoMatch } from '../../components/no-match';
import { ResourceTable, type Column, type RowSelection, type Sort } from '../../components/resource-table';
import { WaysIn } from '../../components/lazy-ways-in';
import { variableOf } from '../../components/variable-column';
import type { SelectedDevice } from './bulk-change';
import { listKey } from './device-list-query';
import { fetchIdsOf, fetchPageOf, readAfter, type DeviceList } from './device-rows';
import { filterByCell } from './filter-by-cell';
import { preloadCellEditing } from './edit/lazy-cell-editing';
import type { EditQueue } from './edit/use-edit-queue';
import { DeviceSelection, MAX_SELECTED } from './device-selection';
import classes from './device-list-page.module.css';

interface Props {
  /** The header of the page, which shows what can be done with selected devices. */
  readonly header: HTMLElement | null;
  readonly kind: DeviceKind;
  readonly list: DeviceList;
  readonly columns: readonly Column<ListRow>[];
  readonly onSort: (sort: Sort) => void;
  /** What is done with cells. */
  readonly queue: EditQueue;
  /** Whether an edit of cells can be undone. */
  readonly canUndo: boolean;
  /** The cell that the list goes to, to edit it. */
  readonly target: CellTarget | undefined;
  /** Called when it is there, or cannot be found. */
  readonly onTargetDone: () => void;
}

const isVariable = (column: string): boolean => variableOf(column) !== undefined;

const isMember = ({ update }: DeviceKind, column: string): boolean =>
  update.some(({ name }) => name === column);

const NONE: ReadonlyMap<number, SelectedDevice> = new Map();

/** The table of devices, and the selection of some of them. */
export function DeviceTable({
  header,
  kind,
  list,
  columns,
  onSort,
  queue,
  canUndo,
  target,
  onTargetDone,
}: Props) {
  const { collection, project_id, filters, sort } = list;
  const navigate = useNavigate();
  const total = useTotal(kind.kind, project_id, filters);
  const [selected, setSelected] = useRememberedState<ReadonlyMap<number, SelectedDevice>>(
    [collection, 'selection', project_id, filters],
    NONE,
  );
  const select = useMutation({
    mutationFn: (read: () => Promise<readonly ListRow[]>) => read(),
    onSuccess: (rows) => {
      setSelected(withRows(selected, rows));
    },
  });
  const selection: RowSelection<ListRow> = {
    has: ({ id }) => selected.has(id),
    toggle: (row) => {
      const others = new Map(selected);
      if (!others.delete(row.id) && others.size < MAX_SELECTED) others.set(row.id, selectedDevice(row));
      setSelected(others);
    },
    add: (rows) => {
      setSelected(withRows(selected, rows));
    },
    addNext: (row, count, isBackward) => {
      const around = { ...list, ...SELECTED };
      select.mutate(async () => [row, ...(await readAfter(around, row.id, count, isBackward))]);
    },
    addAll: () => {
      select.mutate(() => readFirst(list));
    },
  };
  const cells: CellActions<ListRow> = {
    onReach: preloadCellEditing,
    // Enter on a name opens the device.
    isEditable: (column) => column !== 'name' && (isVariable(column) || isMember(kind, column)),
    onEdit: (cell, typed) => {
      queue.act({ type: 'edit', cell, typed });
    },
    pendingEditor: queue.pendingEditor,
    onPreview: queue.hasActed ? queue.preview : undefined,
    onCancelPreview: queue.cancelPreview,
    onClear: (cell, extent) => {
      queue.act({ type: 'clear', cell, extent });
    },
    onFill: (cell, above, extent) => {
      queue.act({ type: 'fill', cell, above, extent, selected: [...selected.keys()] });
    },
    onPaste: (cell, text, extent) => {
      queue.act({ type: 'paste', cell, text, extent });
    },
    onLostPaste: () => {
      notifications.show({
        // One message, however often it is pasted.
        id: 'lost-paste',
        title: 'Nothing was pasted',
        message: 'Choose where to paste: click a value of the list, or press → in it.',
      });
    },
    onUndo: canUndo
      ? () => {
          queue.act({ type: 'undo' });
        }
      : undefined,
    onRedo: () => {
      queue.act({ type: 'redo' });
    },
    linkOf: (row, column) => {
      const search = filterByCell(row, column);
      return (
        search &&
        linkOptions({
          to: '/devices',
          search: { collection: kind.collection, columns: columns.map(({ id }) => id), ...search },
        })
      );
    },
    target,
    onTarget: (cell) => {
      onTargetDone();
      if (cell) queue.act({ type: 'edit', cell, typed: NOTHING_TYPED });
    },
  };
  return (
    <div className={classes.list}>
      {selected.size > 0 &&
        header &&
        createPortal(
          <DeviceSelection
            kind={kind.kind}
            devices={[...selected.values()]}
            total={total}
            selectAll={select}
            onSelectAll={selection.addAll}
            onClear={() => {
              setSelected(new Map());
            }}
          />,
          header,
        )}
      <ResourceTable
        label={kindWords(collection)}
        queryKey={listKey(list)}
        fetchPage={fetchPageOf(list)}
        fetchIds={fetchIdsOf(list)}
        columns={[selectColumn(selection), ...columns]}
        sort={sort}
        onSort={onSort}
        onOpen={({ id }) => {
          void navigate({
            to: '/devices/$collection/$id',
            params: { collection, id: String(id) },
            search: {},
          });
        }}
        selection={selection}
        cells={cells}
        total={total}
        offersNewer
        empty={
          Object.keys(filters).length === 0 ? (
            <WaysIn />
          ) : (
            <NoMatch title="No device matches" kind={kind} project_id={project_id} filters={filters} />
          )
        }
      />
    </div>
  );
}

/** The selection with more rows, up to the limit. */
const withRows = (selected: ReadonlyMap<number, SelectedDevice>, rows: readonly ListRow[]) =>
  new Map([...selected, ...rows.map((row) => [row.id, selectedDevice(row)] as const)].slice(0, MAX_SELECTED));

const selectedDevice = ({ id, name = '', labels = '', version = 0 }: ListRow): SelectedDevice => ({
  id,
  name,
  labels,
  version,
});

const selectColumn = ({ has, toggle }: RowSelection<ListRow>): Column<ListRow> => ({
  id: 'select',
  header: <VisuallyHidden>Selected</VisuallyHidden>,
  width: 36,
  isCellStop: false,
  render: (row) => (
    // Not the library's: a list renders one for each row that scrolls into view.
    <input
      type="checkbox"
      className={classes.checkbox}
      aria-label={`Select ${row.name ?? ''}`}
      tabIndex={-1}
      checked={has(row)}
      onChange={() => {
        toggle(row);
      }}
      // Two clicks are not a double click on the row.
      onDoubleClick={(event) => {
        event.stopPropagation();
      }}
    />
  ),
});

/** The exact number of devices that match. */
function useTotal(kind: DeviceKind['kind'], project_id: string, filters: ListFilters): number | undefined {
  return useQuery({
    queryKey: ['device-counts', project_id, kind, filters],
    queryFn: ({ signal }) => countDevices(kind, project_id, filters, signal),
    // The list reports what is wrong with a filter.
    retry: false,
  }).data;
}

/** The devices that can be selected at once: the first ones of the list. */
const readFirst = (list: DeviceList) => readAfter({ ...list, ...SELECTED }, undefined, MAX_SELECTED);

/** What is read of devices that are selected only. */
const SELECTED = { fields: ['id', 'name', 'labels', 'version'], keys: [] };
