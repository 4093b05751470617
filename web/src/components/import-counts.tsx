import { Text } from '@mantine/core';
import { unusualTypeText, type components } from '@muster/api-types';
import { counted } from './counted';

type TypeSample = components['schemas']['ImportTypeSample'];
type TypeChange = components['schemas']['ImportTypeChange'];
type Preview = components['schemas']['ImportPreview'];

/** What the dry run of an import says besides the devices that change. */
export type ImportCounts = Partial<
  Pick<
    Preview,
    | 'created'
    | 'updated'
    | 'unchanged'
    | 'ignored_empty_cells'
    | 'type_changes_total'
    | 'type_changes'
    | 'unusual_types'
    | 'similar_keys'
  >
>;

/** `12 are created. 3 are changed.`; an empty text for other writes. */
export const importText = ({ created = 0, updated, unchanged = 0 }: ImportCounts): string =>
  updated === undefined
    ? ''
    : [
        created > 0 ? `${counted(created, 'is', 'are')} created. ` : '',
        `${counted(updated, 'is', 'are')} changed. `,
        unchanged > 0 ? `${counted(unchanged, 'stays as it is', 'stay as they are')}. ` : '',
      ].join('');

const SAMPLE_FORMAT = {
  exampleOf: ({ cell, line }: TypeSample) => `${cell} (line ${String(line)})`,
  countOf: ({ count }: TypeSample) => counted(count, 'value'),
};

/** How many changes of types are named. */
const MAX_NAMED = 5;

const namedChanges = (changes: readonly TypeChange[]): string =>
  changes.length === 0
    ? ''
    : `: ${changes
        .slice(0, MAX_NAMED)
        .map(
          ({ line, name, key, before, after }) =>
            `${key} of ${name} (line ${String(line)}, ${before} → ${after})`,
        )
        .join(', ')}${changes.length > MAX_NAMED ? ', …' : ''}`;

/** What spreadsheets may have done to a table. */
export function TableWarnings({
  ignored_empty_cells = 0,
  type_changes_total = 0,
  type_changes = [],
  unusual_types = [],
  similar_keys = [],
}: ImportCounts) {
  if (ignored_empty_cells + type_changes_total + unusual_types.length + similar_keys.length === 0)
    return null;
  return (
    <Text size="sm" role="status">
      {type_changes_total > 0 &&
        `${counted(type_changes_total, 'variable gets', 'variables get')} another type or loses digits, as if a spreadsheet had changed it${namedChanges(type_changes)}. `}
      {unusual_types.map(
        ({ key, reason, others, ...sample }) =>
          `${key}: ${unusualTypeText(sample, others, reason, SAMPLE_FORMAT)}. ${reason === 'invalid_json' ? 'If all are texts, choose the type Text. ' : ''}`,
      )}
      {similar_keys.map(
        ({ key, similar_to }) => `${key} would be a new variable. Did you mean ${similar_to}? `,
      )}
      {ignored_empty_cells > 0 &&
        `${counted(ignored_empty_cells, 'cell is', 'cells are')} empty although the device has a value: it stays.`}
    </Text>
  );
}
