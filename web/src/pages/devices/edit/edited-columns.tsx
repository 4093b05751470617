import { VisuallyHidden } from '@mantine/core';
import clsx from 'clsx';
import { LevelMark, levelOf } from '../../../components/level-mark';
import type { ListRow } from '../../../components/member-columns';
import type { Column } from '../../../components/resource-table';
import { VariableValue } from '../../../components/variable-value';
import { cellKey, type CellEdit, type CellEdits, type CellFaults } from './cell-edit';
import classes from './edited-cell.module.css';

/** The columns of a list, in which edited cells show their new values, and which of these the service has rejected. */
export const editedColumns = (columns: readonly Column<ListRow>[], edits: CellEdits, faults: CellFaults) =>
  edits.size === 0
    ? columns
    : columns.map((column) => ({
        ...column,
        render: (row: ListRow) => {
          const edit = edits.get(cellKey(row.id, column.id));
          return edit ? <EditedCell edit={edit} fault={faults.get(edit)} /> : column.render(row);
        },
      }));

interface Props {
  readonly edit: CellEdit;
  readonly fault: string | undefined;
}

const EditedCell = ({ edit: { change }, fault }: Props) => (
  <span
    className={clsx(classes.edited, fault !== undefined && classes.rejected)}
    title={fault ?? 'Edited, and not sent yet'}
  >
    <VisuallyHidden>{fault === undefined ? 'edited ' : `rejected: ${fault} `}</VisuallyHidden>
    {change.type === 'member' ? (
      <span>{change.text}</span>
    ) : (
      <LevelMark level={levelOf(change.owner.kind)}>
        {change.value ? (
          <VariableValue value={change.value.value} isBrief />
        ) : (
          <span className={classes.unset}>unset</span>
        )}
      </LevelMark>
    )}
  </span>
);
