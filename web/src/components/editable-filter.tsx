import { Button, Group, Stack, TextInput, UnstyledButton } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import classes from './filter-bar.module.css';
import { useFilterCheck, useFilterHint } from './filter-check';
import type { ListSearch } from './list-search';
import { PopoverButton } from './popover-button';

interface Props {
  /** The label of the field. */
  readonly label: string;
  /** As in "Edit the filter type server". */
  readonly name: string;
  /** What is edited. */
  readonly text: string;
  /** What the chip shows. */
  readonly children: ReactNode;
  /** The search parameters of what was typed, for the check. */
  readonly searchOf: (typed: string) => ListSearch;
  /** Gets what the filter became; an empty text if it was removed. */
  readonly onReplace: (typed: string) => void;
}

/** The text of a filter in its chip, as a button that edits it. */
export const EditableFilter = ({ children, ...props }: Props) => (
  <PopoverButton
    position="bottom-start"
    width={340}
    target={(opener) => (
      <UnstyledButton
        {...opener}
        className={classes.edit}
        aria-label={`Edit the filter ${props.name}`}
        title={props.text}
      >
        {children}
      </UnstyledButton>
    )}
  >
    {(close) => (
      <FilterForm
        {...props}
        onReplace={(typed) => {
          close();
          props.onReplace(typed);
        }}
      />
    )}
  </PopoverButton>
);

function FilterForm({ label, text: former, searchOf, onReplace }: Omit<Props, 'children'>) {
  const [text, setText] = useState(former);
  const check = useFilterCheck(searchOf, onReplace);
  const hint = useFilterHint(text.trim() === '' ? undefined : searchOf(text.trim()));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const typed = text.trim();
        if (typed === '') onReplace('');
        else check.mutate(typed);
      }}
    >
      <Stack gap="xs">
        <TextInput
          label={label}
          data-autofocus
          classNames={{ input: classes.code }}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          description={check.error ? undefined : hint}
          value={text}
          error={check.error?.message}
          onChange={(event) => {
            setText(event.currentTarget.value);
            if (check.error) check.reset();
          }}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={check.isPending}>
            Apply
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
