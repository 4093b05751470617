import { usage, type Failure } from '../failures';

/** Where something stands in a file, from 1 on. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Where a file begins. */
export const BEGINNING: Position = { line: 1, column: 1 };

/** A file that is not what it should be, with the place. */
export const fileFault = (file: string, { line, column }: Position, message: string): Failure =>
  usage(`${file}, line ${String(line)}, column ${String(column)}: ${message}`);

/** Where the character at an offset of a text stands, if the text begins somewhere. */
export function positionIn(text: string, offset: number, start: Position): Position {
  const before = text.slice(0, offset);
  const breaks = before.split('\n').length - 1;
  return breaks === 0
    ? { line: start.line, column: start.column + before.length }
    : { line: start.line + breaks, column: before.length - before.lastIndexOf('\n') };
}

/** How a file is called when it is told about. */
export const titleOf = (file: string): string => (file === '-' ? 'standard input' : file);
