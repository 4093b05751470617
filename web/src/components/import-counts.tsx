import { Text } from '@mantine/core';
import { counted } from './counted';

/** New values of a column: the first one, and how many have its type. */
interface ColumnValues {
  readonly cell: string;
  readonly type: string;
  readonly count: number;
}

interface UnusualType extends ColumnValues {
  readonly key: string;
  /** The other values of the column; absent if only others in the project have another type. */
  readonly others?: ColumnValues;
}

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
  readonly unusual_types?: readonly UnusualType[];
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

const NUMBERS = 'numbers or booleans';

/** `3 values are texts, such as 6.10` */
const valuesText = ({ cell, type, count }: ColumnValues): string =>
  count === 1
    ? `${cell} is a ${type === 'string' ? 'text' : type}`
    : `${counted(count, 'value')} are ${type === 'string' ? 'texts' : NUMBERS}, such as ${cell}`;

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
        ({ key, others, ...values }) =>
          `${key}: ${valuesText(values)}, but ${others ? valuesText(others) : `others are ${values.type === 'string' ? NUMBERS : 'texts'}`}. `,
      )}
      {similar_keys.map(
        ({ key, similar_to }) => `${key} would be a new variable. Did you mean ${similar_to}? `,
      )}
      {ignored_empty_cells > 0 &&
        `${counted(ignored_empty_cells, 'cell is', 'cells are')} empty although the device has a value: it stays.`}
    </Text>
  );
}
