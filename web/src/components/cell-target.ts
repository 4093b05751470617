import type { Row } from './keyset-pages';

/** A cell that the list scrolls to, to edit it. */
export interface CellTarget {
  /** The position of its row, and the id, which another row may have there now. */
  readonly index: number;
  readonly id: Row['id'];
  readonly column: string;
}
