import 'react';

declare module 'react' {
  interface CSSProperties {
    /** The widths of a table's columns. */
    '--columns'?: string;
  }
}
