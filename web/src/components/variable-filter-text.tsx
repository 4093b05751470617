import { Button, Group, Popover, Stack, TextInput, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import classes from './filter-bar.module.css';
import { useFilterCheck } from './filter-check';
import { filtersIn, type VariableFilter } from './variable-filters';

interface Props {
  /** The collection of the filtered list. */
  readonly collection: string;
  readonly text: string;
  /** Gets what the filter became; nothing if its text was removed. */
  readonly onReplace: (filters: readonly VariableFilter[]) => void;
}

/** A filter by variables in its chip, as a button that edits it. */
export function VariableFilterText({ collection, text, onReplace }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-start"
      trapFocus
      returnFocus
      width={340}
      shadow="md"
    >
      <Popover.Target>
        <UnstyledButton
          className={classes.edit}
          aria-label={`Edit the filter ${text}`}
          title={text}
          onClick={() => {
            setOpen(!isOpen);
          }}
        >
          <code>{text}</code>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>
        <FilterForm
          collection={collection}
          text={text}
          onReplace={(filters) => {
            setOpen(false);
            onReplace(filters);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

function FilterForm({ collection, text: former, onReplace }: Props) {
  const [text, setText] = useState(former);
  const check = useFilterCheck(collection, onReplace);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const filters = filtersIn(text);
        if (filters.length === 0) onReplace([]);
        else check.mutate(filters);
      }}
    >
      <Stack gap="xs">
        <TextInput
          label="Filter"
          data-autofocus
          classNames={{ input: classes.code }}
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
