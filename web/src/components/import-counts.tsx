import { Text } from '@mantine/core';
import { counted } from './counted';

/** What the dry run of an import says besides the devices that change. */
export interface ImportCounts {
  readonly created?: number;
  readonly updated?: number;
  readonly unchanged?: number;
  /** Of tables: cells that are empty although the device has a value. */
  readonly ignored_empty_cells?: number;
  /** Of tables: values whose type changes, or that lose digits. */
  readonly type_changes_total?: number;
  /** Of tables: columns with values of another type than elsewhere. */
  readonly unusual_types?: readonly { readonly key: string; readonly cell: string; readonly type: string }[];
  /** Of tables: new variables that are easily mistaken for others. */
  readonly similar_keys?: readonly { readonly key: string; readonly similar_to: string }[];
}

/** `12 are created. 3 are changed.`; an empty text for other writes. */
export const importText = ({ created = 0, updated, unchanged = 0 }: ImportCounts): string =>
  updated === undefined
    ? ''
    : [
        created > 0 ? `${counted(created, 'is', 'are')} created. ` : '',
        `${counted(updated, 'is', 'are')} changed. `,
        unchanged > 0 ? `${counted(unchanged, 'stays as it is', 'stay as they are')}. ` : '',
      ].join('');

/** What spreadsheets may have done to a table. */
export function TableWarnings({
  ignored_empty_cells = 0,
  type_changes_total = 0,
  unusual_types = [],
  similar_keys = [],
}: ImportCounts) {
  if (ignored_empty_cells + type_changes_total + unusual_types.length + similar_keys.length === 0)
    return null;
  return (
    <Text size="sm" role="status">
      {type_changes_total > 0 &&
        `${counted(type_changes_total, 'variable gets', 'variables get')} another type or loses digits, as if a spreadsheet had changed it. `}
      {unusual_types.map(
        ({ key, cell, type }) =>
          `${key}: ${cell} is a ${type === 'string' ? 'text' : type}, but others are ${type === 'string' ? 'numbers or booleans' : 'texts'}. `,
      )}
      {similar_keys.map(
        ({ key, similar_to }) => `${key} would be a new variable. Did you mean ${similar_to}? `,
      )}
      {ignored_empty_cells > 0 &&
        `${counted(ignored_empty_cells, 'cell is', 'cells are')} empty although the device has a value: it stays.`}
    </Text>
  );
}
