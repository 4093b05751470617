import { Text } from '@mantine/core';
import type { EnteredValue } from './typed-text';

/** Says that what was entered without quotes is a text. */
export const EnteredNote = ({ entered }: { readonly entered: EnteredValue }) =>
  'json' in entered &&
  entered.note !== undefined && (
    <Text size="sm" role="status">
      {entered.note}
    </Text>
  );
