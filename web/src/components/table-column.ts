import type { ReactNode } from 'react';

/** A column of a table. */
export interface Column<T> {
  readonly id: string;
  readonly header: ReactNode;
  /** Undefined if its header says nothing of the order, such as that of the checkboxes. */
  readonly sorting?: Sortable | Unsortable;
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

/** How the list is sorted by a column. */
export interface Sortable {
  /** The member of `sort_keys`. */
  readonly key: string;
  /** By what, if not by what the cells show: behind the title if the list is sorted so, and in its tooltip. */
  readonly by?: { readonly text: string; readonly hint: string };
}

/** What the header of a column says instead of sorting, if the list can be sorted by other columns. */
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
