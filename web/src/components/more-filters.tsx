import { Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useClouds, useLocations } from '../api/locations';
import type { FilterProps } from './filter-props';

/** The filters that are chosen from lists, or seldom used. Loaded when they are opened. */
export function MoreFilters({ filters, search, onChange }: FilterProps) {
  const locations = useLocations();
  const cells = locations.cells.filter(
    ({ region_id }) => search.region_id === undefined || region_id === search.region_id,
  );
  return (
    <Stack gap="xs">
      {filters.includes('cloud_id') && (
        <CloudSelect
          value={search.cloud_id}
          onSelect={(cloud_id) => {
            onChange({ cloud_id });
          }}
        />
      )}
      {filters.includes('region_id') && (
        <PlaceSelect
          label="Region"
          options={locations.regions}
          value={search.region_id}
          onSelect={(region_id) => {
            onChange({ region_id, cell_id: undefined });
          }}
        />
      )}
      {filters.includes('cell_id') && (
        <PlaceSelect
          label="Cell"
          options={cells.map(({ id, name, region_id }) => ({
            id,
            name: search.region_id === undefined ? `${locations.regionName(region_id)}/${name}` : name,
          }))}
          value={search.cell_id}
          onSelect={(cell_id) => {
            onChange({ cell_id });
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
            onChange({ active: value === null ? undefined : value === 'true' });
          }}
          comboboxProps={{ withinPortal: false }}
        />
      )}
      {filters.includes('label') && (
        <TextFilter
          label="Label"
          onApply={(label) => {
            onChange({ label: [...new Set([...(search.label ?? []), label])] });
          }}
        />
      )}
      {filters.includes('device_type') && (
        <TextFilter
          label="Type"
          onApply={(device_type) => {
            onChange({ device_type });
          }}
        />
      )}
      {filters.includes('ip') && (
        <TextFilter
          label="Address or network"
          placeholder="10.1.0.0/24"
          onApply={(ip) => {
            onChange({ ip });
          }}
        />
      )}
    </Stack>
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
