import { Box, Button, Group, UnstyledButton } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { ChosenFilterName } from './chosen-filter';
import classes from './filter-bar.module.css';
import type { FilterProps } from './filter-props';
import { lazyComponent } from './lazy-component';
import type { ListSearch } from './list-search';
import { PopoverButton } from './popover-button';

const ChosenFilter = lazyComponent(
  () => import('./chosen-filter').then(({ ChosenFilter: component }) => component),
  {
    isOpened: true,
  },
);

interface Props extends Pick<FilterProps, 'search' | 'onChange' | 'maxRegions'> {
  readonly filter: ChosenFilterName;
  /** Which parent, or access secret, the chip is. */
  readonly id?: number | undefined;
  /** As in "Edit the filter region north". */
  readonly name: string;
  /** What the chip shows. */
  readonly children: ReactNode;
}

/** A filter in its chip, as a button that opens the list from which its values are chosen. */
export const ChosenFilterChip = ({ name, children, ...props }: Props) => (
  <PopoverButton
    position="bottom-start"
    width={340}
    preload={ChosenFilter.preload}
    target={(opener) => (
      <UnstyledButton {...opener} className={classes.edit} aria-label={`Edit the filter ${name}`}>
        {children}
      </UnstyledButton>
    )}
  >
    {(close) => (
      <ChosenFilterForm
        {...props}
        onChange={(changed) => {
          close();
          props.onChange(changed);
        }}
      />
    )}
  </PopoverButton>
);

/** The values are applied together: a chip whose value is removed takes its form with it. */
function ChosenFilterForm({ search, onChange, ...props }: Omit<Props, 'name' | 'children'>) {
  const [changed, setChanged] = useState<ListSearch>({});
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onChange(changed);
      }}
    >
      {/* Side by side: the list that the field opens would cover what is below it. */}
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <Box flex={1} miw={0}>
          <ChosenFilter
            {...props}
            search={{ ...search, ...changed }}
            onChange={(next) => {
              setChanged({ ...changed, ...next });
            }}
          />
        </Box>
        <Button type="submit">Apply</Button>
      </Group>
    </form>
  );
}
