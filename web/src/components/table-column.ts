import type { ReactNode } from 'react';

/** A column of a table. */
export interface Column<T> {
  readonly id: string;
  readonly header: ReactNode;
  /** The member of `sort_keys`, if the API can sort by it. */
  readonly sortKey?: string;
  /** Why the list cannot be sorted by it, if it can be sorted by other columns. */
  readonly unsortable?: Unsortable;
  /** What stands behind the title of a sorted column, if it is not sorted by what its cells show: `by id`. */
  readonly sortedBy?: string;
  /** The tooltip of the header of a sortable column. */
  readonly hint?: string;
  /** In pixels. */
  readonly width: number;
  /** Whether it stays in view when the others are scrolled sideways: the name. */
  readonly isSticky?: boolean;
  /** Whether its values are numbers, which are aligned at their end. */
  readonly isNumeric?: boolean;
  /** Whether the cursor stops on its cells: by default, if the list has one. */
  readonly isCellStop?: boolean;
  readonly render: (row: T) => ReactNode;
}

/** What the header of a column says instead of sorting. */
export interface Unsortable {
  readonly reason: string;
  /** What to do instead, if there is something. */
  readonly instead?: ReactNode;
}

/** The order of a list. */
export interface Sort {
  readonly key: string;
  readonly direction: 'asc' | 'desc';
}
