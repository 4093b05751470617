import { Button, Center, VisuallyHidden } from '@mantine/core';
import clsx from 'clsx';
import type { ReactNode } from 'react';
import classes from './small-table.module.css';
import { ErrorState, LoadingState } from './states';
import type { SmallList } from './use-small-list';

/** A column of a small table. */
export interface SmallColumn<T> {
  /** Also shown before the value where the table does not fit. */
  readonly header: string;
  readonly render: (row: T) => ReactNode;
}

interface Props<T> {
  /** What the rows are: `users`. */
  readonly label: string;
  readonly list: SmallList<T>;
  readonly columns: readonly SmallColumn<T>[];
  readonly keyOf: (row: T) => string | number;
  /** The buttons of a row. */
  readonly actions?: (row: T) => ReactNode;
  /** Shown instead of an empty table. */
  readonly empty: ReactNode;
}

/** A table of some hundred rows. On narrow screens each row is a block. */
export function SmallTable<T>({ label, list, columns, keyOf, actions, empty }: Props<T>) {
  if (list.isPending) return <LoadingState what={label} />;
  if (list.error) return <ErrorState error={list.error} what={label} onRetry={list.retry} />;
  if (list.rows.length === 0 && !list.onMore) return empty;
  return (
    <div>
      <table className={clsx(classes.table, classes.list)} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ header }) => (
              <th key={header} scope="col">
                {header}
              </th>
            ))}
            {actions && (
              <th scope="col">
                <VisuallyHidden>Actions</VisuallyHidden>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {list.rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ header, render }) => (
                <td key={header} data-header={header}>
                  {render(row)}
                </td>
              ))}
              {actions && <td className={classes.actions}>{actions(row)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {list.onMore && (
        <Center pt="sm">
          <Button variant="default" loading={list.isLoadingMore} onClick={list.onMore}>
            Show more
          </Button>
        </Center>
      )}
    </div>
  );
}
