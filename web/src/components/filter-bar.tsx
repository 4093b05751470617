import { ActionIcon, Button, TextInput } from '@mantine/core';
import { MagicWandIcon, MixerHorizontalIcon } from '@radix-ui/react-icons';
import { useState } from 'react';
import { CollapsibleFilters } from './collapsible-filters';
import { useFilterCheck, useFilterHint } from './filter-check';
import classes from './filter-bar.module.css';
import type { FilterProps } from './filter-props';
import { lazyComponent } from './lazy-component';
import { filtersOf } from './list-search';
import { PopoverButton } from './popover-button';
import { filtersIn, searchOf, variableFiltersOf, withAdded, type VariableFilter } from './variable-filters';

const FilterBuilder = lazyComponent(
  () => import('./filter-builder').then(({ FilterBuilder: component }) => component),
  {
    isOpened: true,
  },
);

const MoreFilters = lazyComponent(
  () => import('./more-filters').then(({ MoreFilters: component }) => component),
  {
    isOpened: true,
  },
);

const FiltersInEffect = lazyComponent(() =>
  import('./filters-in-effect').then(({ FiltersInEffect: component }) => component),
);

/** The filters behind the button. */
const MORE = new Set([
  ...['name_contains', 'cloud_id', 'region_id', 'cell_id', 'active', 'label', 'without_label', 'has_labels'],
  ...['device_type', 'ip'],
]);

/** The filters of a list: a field for names, one that adds filters by variables, all others behind a button; and all as chips. */
export function FilterBar(props: FilterProps) {
  const { filters, search, onChange } = props;
  const [name, setName] = useState(search.name_prefix ?? '');
  const [shownName, setShownName] = useState(search.name_prefix);
  // A chip, and Back, change the filter, too.
  if (search.name_prefix !== shownName) {
    setShownName(search.name_prefix);
    setName(search.name_prefix ?? '');
  }
  const [text, setText] = useState('');
  const names = { name_prefix: name.trim() || undefined };
  const check = useFilterCheck(searchOf, (typed) => {
    setText('');
    onChange({ ...names, ...withAdded(search, typed) });
  });
  const hint = useFilterHint(text.trim() === '' ? undefined : searchOf(filtersIn(text)));
  const others = filtersOf({ ...search, vars: undefined, where: undefined });
  const count = Object.values(others).flat().length + variableFiltersOf(search).length;
  return (
    <CollapsibleFilters count={count}>
      <div className={classes.frame}>
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
              classNames={{ input: classes.code, description: classes.hint, error: classes.hint }}
              inputWrapperOrder={['input', 'description', 'error']}
              description={check.error ? undefined : hint}
              value={text}
              error={check.error?.message}
              onChange={(event) => {
                setText(event.currentTarget.value);
                if (check.error) check.reset();
              }}
              rightSection={
                <BuilderButton
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
          {filters.some((one) => MORE.has(one)) && <MoreFiltersButton {...props} />}
        </form>
        <div className={classes.chips}>{count > 0 && <FiltersInEffect {...props} />}</div>
      </div>
    </CollapsibleFilters>
  );
}

interface BuilderProps {
  readonly onApply: (built: readonly VariableFilter[]) => void;
}

/** Opens the builder of filters by variables. */
const BuilderButton = ({ onApply }: BuilderProps) => (
  <PopoverButton
    width={340}
    preload={FilterBuilder.preload}
    target={(opener) => (
      <ActionIcon {...opener} aria-label="Build a filter by variables" title="Build a filter">
        <MagicWandIcon aria-hidden />
      </ActionIcon>
    )}
  >
    {(close) => (
      <FilterBuilder
        onApply={(built) => {
          close();
          onApply(built);
        }}
      />
    )}
  </PopoverButton>
);

const MoreFiltersButton = (props: FilterProps) => (
  <PopoverButton
    width="min(34rem, 94vw)"
    className={classes.more}
    preload={MoreFilters.preload}
    target={(opener) => (
      <Button {...opener} variant="default" leftSection={<MixerHorizontalIcon aria-hidden />}>
        More filters
      </Button>
    )}
  >
    {(close) => <MoreFilters {...props} onDone={close} />}
  </PopoverButton>
);
