import { SimpleGrid, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ChosenFilter, type ChosenFilterName } from './chosen-filter';
import { useFilterCheck } from './filter-check';
import type { FilterProps } from './filter-props';
import { TEXT_FILTERS, withText, type TextFilter } from './text-filters';

const CHOSEN: readonly ChosenFilterName[] = [
  ...(['cloud_id', 'region_id', 'cell_id', 'parent_id', 'active', 'has_labels'] as const),
];

interface Props extends FilterProps {
  /** Called after a filter that people set once: the others can be chosen several times. */
  readonly onDone: () => void;
}

/** The filters that are chosen from lists, or seldom used. Loaded when they are opened. */
export function MoreFilters({ onDone, ...props }: Props) {
  const { filters, search, onChange } = props;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="xs">
      {CHOSEN.filter((filter) => filters.includes(filter)).map((filter) => (
        <ChosenFilter
          key={filter}
          filter={filter}
          {...props}
          onChange={(changed) => {
            onChange(changed);
            if (filter === 'active' || filter === 'parent_id') onDone();
          }}
        />
      ))}
      {/* The beginning of the name has a field of its own. */}
      {TEXT_FILTERS.filter(({ parameter }) => parameter !== 'name_prefix' && filters.includes(parameter)).map(
        (filter) => (
          <TextField
            key={filter.parameter}
            filter={filter}
            onApply={(typed) => {
              onChange(withText(search, filter, typed));
              onDone();
            }}
          />
        ),
      )}
    </SimpleGrid>
  );
}

interface TextFieldProps {
  readonly filter: TextFilter;
  readonly onApply: (typed: string) => void;
}

/** The field of a filter by a text, which is checked before the list has it. */
function TextField({ filter, onApply }: TextFieldProps) {
  const [text, setText] = useState('');
  const check = useFilterCheck((typed: string) => withText({}, filter, typed), onApply);
  const { title, placeholder } = filter;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        // Not the form of the bar, which contains this one in React's tree.
        event.stopPropagation();
        if (text.trim() !== '') check.mutate(text);
      }}
    >
      <TextInput
        label={title}
        {...(placeholder === undefined ? {} : { placeholder })}
        value={text}
        error={check.error?.message}
        onChange={(event) => {
          setText(event.currentTarget.value);
          if (check.error) check.reset();
        }}
      />
    </form>
  );
}
