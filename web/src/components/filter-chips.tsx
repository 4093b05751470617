import { Group, Pill } from '@mantine/core';
import type { ReactNode } from 'react';

/** A filter in effect. */
export interface FilterChip {
  /** As in "Remove the filter region". */
  readonly name: string;
  readonly text: ReactNode;
  readonly onRemove: () => void;
}

/** The filters in effect, each with a button that removes it. */
export function FilterChips({ chips }: { readonly chips: readonly FilterChip[] }) {
  if (chips.length === 0) return null;
  return (
    <Group gap={6} role="group" aria-label="Filters in effect">
      {chips.map(({ name, text, onRemove }) => (
        <Pill
          key={name}
          size="md"
          fz="xs"
          withRemoveButton
          removeButtonProps={{ 'aria-label': `Remove the filter ${name}`, 'aria-hidden': false, tabIndex: 0 }}
          onRemove={onRemove}
        >
          {text}
        </Pill>
      ))}
    </Group>
  );
}
