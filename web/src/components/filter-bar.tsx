import { ActionIcon, Button, Popover, Stack, TextInput } from '@mantine/core';
import { MagicWandIcon, MixerHorizontalIcon } from '@radix-ui/react-icons';
import { useState, type ReactNode } from 'react';
import { useLocations } from '../api/locations';
import { CloudName } from './cloud-name';
import { FilterChips } from './filter-chips';
import classes from './filter-bar.module.css';
import { lazyComponent } from './lazy-component';
import { LevelMark } from './level-mark';
import type { FilterProps } from './filter-props';
import type { ListSearch } from './list-search';

const VarsBuilder = lazyComponent(() =>
  import('./vars-builder').then(({ VarsBuilder: component }) => component),
);

const MoreFilters = lazyComponent(() =>
  import('./more-filters').then(({ MoreFilters: component }) => component),
);

/** The filters behind the button. */
const MORE = new Set(['cloud_id', 'region_id', 'cell_id', 'active', 'label', 'device_type', 'ip']);

/** The filters of a list: names and variables in fields of their own, all others behind a button, and as chips. */
export function FilterBar({ filters, search, onChange }: FilterProps) {
  const [name, setName] = useState(search.name_prefix ?? '');
  const [vars, setVars] = useState(search.vars ?? '');
  return (
    <Stack gap="xs">
      <form
        role="search"
        className={classes.bar}
        onSubmit={(event) => {
          event.preventDefault();
          onChange({ name_prefix: name.trim() || undefined, vars: vars.trim() || undefined });
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
            placeholder='Variables: kernel:"6.8",rack.row:4'
            className={classes.vars}
            classNames={{ input: classes.code }}
            value={vars}
            onChange={(event) => {
              setVars(event.currentTarget.value);
            }}
            rightSection={
              <BuilderButton
                vars={vars}
                onApply={(built) => {
                  onChange({ vars: built });
                }}
              />
            }
          />
        )}
        <Button type="submit" variant="default">
          Filter
        </Button>
        {filters.some((name) => MORE.has(name)) && (
          <MoreFiltersButton filters={filters} search={search} onChange={onChange} />
        )}
      </form>
      <Chips search={search} onChange={onChange} />
    </Stack>
  );
}

interface BuilderProps {
  readonly vars: string;
  readonly onApply: (vars: string) => void;
}

/** Opens the builder of filters by variables. */
function BuilderButton({ vars, onApply }: BuilderProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      trapFocus
      returnFocus
      width={320}
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
        <VarsBuilder
          vars={vars}
          onApply={(built) => {
            setOpen(false);
            onApply(built);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

function MoreFiltersButton({ filters, search, onChange }: FilterProps) {
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
          filters={filters}
          search={search}
          onChange={(changed) => {
            onChange(changed);
            setOpen(false);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

/** The filters in effect, each with a button that removes it. */
function Chips({ search, onChange }: Omit<FilterProps, 'filters'>) {
  const locations = useLocations();
  const { name_prefix, cloud_id, region_id, cell_id, label = [], active, device_type, ip, vars } = search;
  const chips: {
    readonly name: string;
    readonly text: ReactNode;
    readonly without: Partial<ListSearch>;
  }[] = [];
  if (name_prefix !== undefined)
    chips.push({
      name: 'name',
      text: `Name begins with ${name_prefix}`,
      without: { name_prefix: undefined },
    });
  if (cloud_id !== undefined)
    chips.push({ name: 'cloud', text: <CloudName id={cloud_id} />, without: { cloud_id: undefined } });
  if (region_id !== undefined)
    chips.push({
      name: 'region',
      text: <LevelMark level="region">{locations.regionName(region_id)}</LevelMark>,
      without: { region_id: undefined },
    });
  if (cell_id !== undefined)
    chips.push({
      name: 'cell',
      text: <LevelMark level="cell">{locations.cellTitle(cell_id)}</LevelMark>,
      without: { cell_id: undefined },
    });
  for (const one of label)
    chips.push({
      name: `label ${one}`,
      text: <LevelMark level="label">{one}</LevelMark>,
      without: { label: label.length === 1 ? undefined : label.filter((other) => other !== one) },
    });
  if (active !== undefined)
    chips.push({ name: 'state', text: active ? 'active' : 'inactive', without: { active: undefined } });
  if (device_type !== undefined)
    chips.push({ name: 'type', text: `Type ${device_type}`, without: { device_type: undefined } });
  if (ip !== undefined) chips.push({ name: 'address', text: `Address ${ip}`, without: { ip: undefined } });
  if (vars !== undefined)
    chips.push({ name: 'variables', text: <code>{vars}</code>, without: { vars: undefined } });
  return (
    <FilterChips
      chips={chips.map(({ without, ...chip }) => ({
        ...chip,
        onRemove: () => {
          onChange(without);
        },
      }))}
    />
  );
}
