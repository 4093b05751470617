import { ActionIcon, Button, Popover, Select, Stack, TextInput } from '@mantine/core';
import { MagicWandIcon, MixerHorizontalIcon } from '@radix-ui/react-icons';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useClouds, usePlaces } from '../api/places';
import { CloudName } from './cloud-name';
import { FilterChips } from './filter-chips';
import classes from './filter-bar.module.css';
import { LevelMark } from './level-mark';
import type { ListSearch } from './list-search';

interface Props {
  /** The names of the filters that the list has. */
  readonly filters: readonly string[];
  readonly search: ListSearch;
  readonly onChange: (changed: Partial<ListSearch>) => void;
}

const VarsBuilder = lazy(() =>
  import('./vars-builder').then(({ VarsBuilder: component }) => ({ default: component })),
);

/** The filters behind the button. */
const MORE = new Set(['cloud_id', 'region_id', 'cell_id', 'active', 'label', 'device_type', 'ip']);

/** The filters of a list: names and variables in fields of their own, all others behind a button, and as chips. */
export function FilterBar({ filters, search, onChange }: Props) {
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
          <MoreFilters filters={filters} search={search} onChange={onChange} />
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
        <Suspense>
          <VarsBuilder
            vars={vars}
            onApply={(built) => {
              setOpen(false);
              onApply(built);
            }}
          />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}

function MoreFilters({ filters, search, onChange }: Props) {
  const [isOpen, setOpen] = useState(false);
  const places = usePlaces();
  const cells = places.cells.filter(
    ({ region_id }) => search.region_id === undefined || region_id === search.region_id,
  );
  const apply = (changed: Partial<ListSearch>) => {
    onChange(changed);
    setOpen(false);
  };
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
        <Stack gap="xs">
          {filters.includes('cloud_id') && (
            <CloudSelect
              value={search.cloud_id}
              onSelect={(cloud_id) => {
                apply({ cloud_id });
              }}
            />
          )}
          {filters.includes('region_id') && (
            <PlaceSelect
              label="Region"
              options={places.regions}
              value={search.region_id}
              onSelect={(region_id) => {
                apply({ region_id, cell_id: undefined });
              }}
            />
          )}
          {filters.includes('cell_id') && (
            <PlaceSelect
              label="Cell"
              options={cells.map(({ id, name, region_id }) => ({
                id,
                name: search.region_id === undefined ? `${places.regionName(region_id)}/${name}` : name,
              }))}
              value={search.cell_id}
              onSelect={(cell_id) => {
                apply({ cell_id });
              }}
            />
          )}
          {filters.includes('active') && (
            <Select
              label="State"
              clearable
              data={[
                { value: 'true', label: 'active' },
                { value: 'false', label: 'inactive' },
              ]}
              value={search.active === undefined ? null : String(search.active)}
              onChange={(value) => {
                apply({ active: value === null ? undefined : value === 'true' });
              }}
              comboboxProps={{ withinPortal: false }}
            />
          )}
          {filters.includes('label') && (
            <TextFilter
              label="Label"
              onApply={(label) => {
                apply({ label: [...new Set([...(search.label ?? []), label])] });
              }}
            />
          )}
          {filters.includes('device_type') && (
            <TextFilter
              label="Type"
              onApply={(device_type) => {
                apply({ device_type });
              }}
            />
          )}
          {filters.includes('ip') && (
            <TextFilter
              label="Address or network"
              placeholder="10.1.0.0/24"
              onApply={(ip) => {
                apply({ ip });
              }}
            />
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

interface PlaceSelectProps {
  readonly label: string;
  readonly options: readonly { readonly id: number; readonly name: string }[];
  readonly value: number | undefined;
  readonly onSelect: (id: number | undefined) => void;
}

const PlaceSelect = ({ label, options, value, onSelect }: PlaceSelectProps) => (
  <Select
    label={label}
    searchable
    clearable
    limit={100}
    data={options.map(({ id, name }) => ({ value: String(id), label: name }))}
    value={value === undefined ? null : String(value)}
    onChange={(id) => {
      onSelect(id === null ? undefined : Number(id));
    }}
    comboboxProps={{ withinPortal: false }}
  />
);

const CloudSelect = (props: Pick<PlaceSelectProps, 'value' | 'onSelect'>) => (
  <PlaceSelect label="Cloud" options={useClouds().clouds} {...props} />
);

interface TextFilterProps {
  readonly label: string;
  readonly placeholder?: string;
  readonly onApply: (text: string) => void;
}

function TextFilter({ label, placeholder, onApply }: TextFilterProps) {
  const [text, setText] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        // Not the form of the bar, which contains this one in React's tree.
        event.stopPropagation();
        if (text.trim() !== '') onApply(text.trim());
      }}
    >
      <TextInput
        label={label}
        {...(placeholder === undefined ? {} : { placeholder })}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
        }}
      />
    </form>
  );
}

/** The filters in effect, each with a button that removes it. */
function Chips({ search, onChange }: Omit<Props, 'filters'>) {
  const places = usePlaces();
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
      text: <LevelMark level="region">{places.regionName(region_id)}</LevelMark>,
      without: { region_id: undefined },
    });
  if (cell_id !== undefined)
    chips.push({
      name: 'cell',
      text: <LevelMark level="cell">{places.cellName(cell_id)}</LevelMark>,
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
