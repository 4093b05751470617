import type { Row } from './keyset-pages';

/** A cell that a list goes to without keys or the mouse. */
export interface CellTarget {
  /** The position of its row, and the id, which another row may have there now. */
  readonly index: number;
  readonly id: Row['id'];
  readonly column: string;
}
