import { Button, Group, SegmentedControl, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { usePlaces } from '../../api/places';
import { FilterChips, type FilterChip } from '../../components/filter-chips';
import { LevelMark } from '../../components/level-mark';
import { collectionTitle, deviceCollections } from '../../components/resource-link';
import type { VariableSearch } from './variable-search';

interface Props {
  readonly search: VariableSearch;
  readonly onChange: (changed: VariableSearch) => void;
}

/** Which devices are counted, and by which part of the value. */
export function ValueFilterBar({ search, onChange }: Props) {
  const { regions } = usePlaces();
  const [label, setLabel] = useState('');
  const [vars, setVars] = useState(search.vars ?? '');
  const [path, setPath] = useState(search.path ?? '');
  return (
    <>
      <form
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          const labels = [...new Set([...(search.label ?? []), ...(label === '' ? [] : [label])])];
          onChange({
            label: labels.length === 0 ? undefined : labels,
            vars: vars.trim() || undefined,
            path: path.trim() || undefined,
          });
        }}
      >
        <Group gap="xs" pb="xs">
          <SegmentedControl
            aria-label="Kind of device"
            value={search.collection ?? 'hosts'}
            data={deviceCollections.map((value) => ({ value, label: collectionTitle(value) }))}
            onChange={(collection) => {
              onChange({ collection });
            }}
          />
          <Select
            aria-label="Region"
            placeholder="Region"
            w={140}
            searchable
            clearable
            limit={100}
            data={regions.map(({ id, name }) => ({ value: String(id), label: name }))}
            value={search.region_id === undefined ? null : String(search.region_id)}
            onChange={(id) => {
              onChange({ region_id: id === null ? undefined : Number(id), cell_id: undefined });
            }}
          />
          <TextField label="Label" value={label} onChange={setLabel} />
          <TextField label="Part of the value" placeholder="rack.row" value={path} onChange={setPath} />
          <TextField label="Filter by variables" placeholder='kernel:"6.8"' value={vars} onChange={setVars} />
          <Button type="submit" variant="default">
            Filter
          </Button>
        </Group>
      </form>
      <Chips search={search} onChange={onChange} />
    </>
  );
}

interface TextFieldProps {
  readonly label: string;
  readonly placeholder?: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

const TextField = ({ label, placeholder = label, value, onChange }: TextFieldProps) => (
  <TextInput
    aria-label={label}
    placeholder={placeholder}
    w={150}
    value={value}
    onChange={(event) => {
      onChange(event.currentTarget.value);
    }}
  />
);

/** The filters that the fields above do not show. */
function Chips({ search, onChange }: Props) {
  const { cellName } = usePlaces();
  const { cell_id, label = [], active } = search;
  const chips: FilterChip[] = label.map((one) => ({
    name: `label ${one}`,
    text: <LevelMark level="label">{one}</LevelMark>,
    onRemove: () => {
      onChange({ label: label.length === 1 ? undefined : label.filter((other) => other !== one) });
    },
  }));
  if (cell_id !== undefined)
    chips.push({
      name: 'cell',
      text: <LevelMark level="cell">{cellName(cell_id)}</LevelMark>,
      onRemove: () => {
        onChange({ cell_id: undefined });
      },
    });
  if (active !== undefined)
    chips.push({
      name: 'state',
      text: active ? 'active' : 'inactive',
      onRemove: () => {
        onChange({ active: undefined });
      },
    });
  return <FilterChips chips={chips} />;
}
