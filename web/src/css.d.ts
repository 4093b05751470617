import 'react';

declare module 'react' {
  interface CSSProperties {
    /** The widths of a table's columns. */
    '--columns'?: string;
    /** The height of a table's row. */
    '--row-height'?: string;
    /** How much of a cell's colour is mixed in, in per cent. */
    '--share'?: string;
  }
}
