import { parseVariablePath, type VariablePath } from './variable-path';

const VARIABLE = 'var:';

/** The id of the column of a variable. @param path its key, or the path of a part of its value */
export const variableColumn = (path: string): string => `${VARIABLE}${path}`;

/** The variable of a column, or the part of one; undefined for a member, and for what cannot be the path of a variable. */
export const variableOf = (column: string): VariablePath | undefined =>
  column.startsWith(VARIABLE) ? parseVariablePath(column.slice(VARIABLE.length)) : undefined;

/** The keys of all variables that have columns. */
export const keysOf = (columns: readonly string[]): string[] => [
  ...new Set(columns.flatMap((id) => variableOf(id)?.key ?? [])),
];
