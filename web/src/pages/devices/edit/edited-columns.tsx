import { VisuallyHidden } from '@mantine/core';
import { LevelMark, levelOf } from '../../../components/level-mark';
import type { ListRow } from '../../../components/member-columns';
import type { Column } from '../../../components/resource-table';
import { VariableValue } from '../../../components/variable-value';
import { cellKey, type CellEdit, type CellEdits } from './cell-edit';
import classes from './edited-cell.module.css';

/** The columns of a list, in which edited cells show their new values. */
export const editedColumns = (columns: readonly Column<ListRow>[], edits: CellEdits) =>
  edits.size === 0
    ? columns
    : columns.map((column) => ({
        ...column,
        render: (row: ListRow) => {
          const edit = edits.get(cellKey(row.id, column.id));
          return edit ? <EditedCell edit={edit} /> : column.render(row);
        },
      }));

const EditedCell = ({ edit: { change } }: { readonly edit: CellEdit }) => (
  <span className={classes.edited} title="Edited, and not sent yet">
    <VisuallyHidden>edited </VisuallyHidden>
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
