import { ActionIcon, Button, Popover, Stack, TextInput } from '@mantine/core';
import { MagicWandIcon, MixerHorizontalIcon } from '@radix-ui/react-icons';
import { useState } from 'react';
import { useFilterCheck } from './filter-check';
import classes from './filter-bar.module.css';
import type { FilterProps } from './filter-props';
import { FiltersInEffect } from './filters-in-effect';
import { lazyComponent } from './lazy-component';
import { filtersIn, withAdded, type VariableFilter } from './variable-filters';

const FilterBuilder = lazyComponent(() =>
  import('./filter-builder').then(({ FilterBuilder: component }) => component),
);

const MoreFilters = lazyComponent(() =>
  import('./more-filters').then(({ MoreFilters: component }) => component),
);

/** The filters behind the button. */
const MORE = new Set(['cloud_id', 'region_id', 'cell_id', 'active', 'label', 'device_type', 'ip']);

/** The filters of a list: a field for names, one that adds filters by variables, all others behind a button; and all as chips. */
export function FilterBar({ collection, filters, search, onChange }: FilterProps) {
  const [name, setName] = useState(search.name_prefix ?? '');
  const [shownName, setShownName] = useState(search.name_prefix);
  // A chip, and Back, change the filter, too.
  if (search.name_prefix !== shownName) {
    setShownName(search.name_prefix);
    setName(search.name_prefix ?? '');
  }
  const [text, setText] = useState('');
  const names = { name_prefix: name.trim() || undefined };
  const check = useFilterCheck(collection, (typed) => {
    setText('');
    onChange({ ...names, ...withAdded(search, typed) });
  });
  return (
    <Stack gap="xs">
      <form
        role="search"
        className={classes.bar}
        onSubmit={(event) => {
          event.preventDefault();
          const typed = filtersIn(text);
          if (typed.length === 0) onChange(names);
          else check.mutate(typed);
        }}
      >
        <TextInput
          aria-label="Names that begin with"
          placeholder="Name begins with…"
          w={190}
          value={name}
          onChange={(event) => {
            setName(event.currentTarget.value);
          }}
        />
        {filters.includes('vars') && (
          <TextInput
            aria-label="Filter by variables"
            placeholder='Variables: kernel < "6.12"'
            className={classes.vars}
            classNames={{ input: classes.code }}
            value={text}
            error={check.error?.message}
            onChange={(event) => {
              setText(event.currentTarget.value);
              if (check.error) check.reset();
            }}
            rightSection={
              <BuilderButton
                collection={collection}
                onApply={(built) => {
                  onChange(withAdded(search, built));
                }}
              />
            }
          />
        )}
        <Button type="submit" variant="default" loading={check.isPending}>
          Filter
        </Button>
        {filters.some((one) => MORE.has(one)) && (
          <MoreFiltersButton collection={collection} filters={filters} search={search} onChange={onChange} />
        )}
      </form>
      <FiltersInEffect collection={collection} search={search} onChange={onChange} />
    </Stack>
  );
}

interface BuilderProps {
  readonly collection: string;
  readonly onApply: (built: readonly VariableFilter[]) => void;
}

/** Opens the builder of filters by variables. */
function BuilderButton({ collection, onApply }: BuilderProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      trapFocus
      returnFocus
      width={340}
      shadow="md"
    >
      <Popover.Target>
        <ActionIcon
          aria-label="Build a filter by variables"
          title="Build a filter"
          onClick={() => {
            setOpen(!isOpen);
          }}
        >
          <MagicWandIcon aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <FilterBuilder
          collection={collection}
          onApply={(built) => {
            setOpen(false);
            onApply(built);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

function MoreFiltersButton({ onChange, ...props }: FilterProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      trapFocus
      returnFocus
      width={280}
      shadow="md"
    >
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<MixerHorizontalIcon aria-hidden />}
          onClick={() => {
            setOpen(!isOpen);
          }}
        >
          More filters
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <MoreFilters
          {...props}
          onChange={(changed) => {
            onChange(changed);
            setOpen(false);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
