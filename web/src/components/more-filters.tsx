import { MultiSelect, Select, SimpleGrid, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useClouds, useLocations } from '../api/locations';
import { ABSENCES, absencesIn, idsIn, withAbsences, withIds, withRegions } from './id-filters';
import { useFilterCheck } from './filter-check';
import type { FilterProps } from './filter-props';
import { TEXT_FILTERS, withText, type TextFilter } from './text-filters';

/** The largest number of regions or cells that are offered at once. */
const MAX_OPTIONS = 100;

interface Props extends FilterProps {
  /** Called after a filter that people set once: the others can be chosen several times. */
  readonly onDone: () => void;
}

/** The filters that are chosen from lists, or seldom used. Loaded when they are opened. */
export function MoreFilters({ onDone, ...props }: Props) {
  const { filters, search, onChange, collection } = props;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="xs">
      <PlaceFilters {...props} />
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
            onDone();
          }}
          comboboxProps={{ withinPortal: false }}
        />
      )}
      {filters.includes('has_labels') && (
        <MultiSelect
          label="Without"
          searchable
          data={[...ABSENCES]}
          value={[...absencesIn(search)]}
          onChange={(names) => {
            onChange(withAbsences(search, names));
          }}
          comboboxProps={{ withinPortal: false }}
        />
      )}
      {/* The beginning of the name has a field of its own. */}
      {TEXT_FILTERS.filter(({ parameter }) => parameter !== 'name_prefix' && filters.includes(parameter)).map(
        (filter) => (
          <TextField
            key={filter.parameter}
            collection={collection}
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

function PlaceFilters({ filters, search, onChange, maxRegions = MAX_OPTIONS }: FilterProps) {
  const locations = useLocations();
  const { clouds } = useClouds();
  const { region_id: regions = [] } = search;
  const [onlyRegion] = regions.length === 1 ? regions : [];
  const cells = locations.cells.filter(
    ({ region_id }) => regions.length === 0 || regions.includes(region_id),
  );
  return (
    <>
      {filters.includes('cloud_id') && (
        <IdSelect
          label="Cloud"
          options={clouds}
          values={search.cloud_id === undefined ? [] : [search.cloud_id]}
          max={1}
          onSelect={([cloud_id]) => {
            onChange({ cloud_id });
          }}
        />
      )}
      {filters.includes('region_id') && (
        <IdSelect
          label="Region"
          options={locations.regions}
          values={regions}
          max={maxRegions}
          onSelect={(ids) => {
            onChange(withRegions(search, ids, locations.cells));
          }}
        />
      )}
      {filters.includes('cell_id') && (
        <IdSelect
          label="Cell"
          options={cells.map(({ id, name, region_id }) => ({
            id,
            name: onlyRegion === undefined ? `${locations.regionName(region_id)}/${name}` : name,
          }))}
          values={idsIn(search, 'cell_id')}
          max={MAX_OPTIONS}
          onSelect={(ids) => {
            onChange(withIds(search, 'cell_id', ids));
          }}
        />
      )}
    </>
  );
}

interface IdSelectProps {
  readonly label: string;
  readonly options: readonly { readonly id: number; readonly name: string }[];
  readonly values: readonly number[];
  /** How many can be chosen. If there are more, the first ones are dropped. */
  readonly max: number;
  readonly onSelect: (ids: readonly number[]) => void;
}

const IdSelect = ({ label, options, values, max, onSelect }: IdSelectProps) => (
  <MultiSelect
    label={label}
    searchable
    clearable
    limit={MAX_OPTIONS}
    data={options.map(({ id, name }) => ({ value: String(id), label: name }))}
    value={values.map(String)}
    onChange={(ids) => {
      onSelect(ids.slice(-max).map(Number));
    }}
    comboboxProps={{ withinPortal: false }}
  />
);

interface TextFieldProps {
  readonly collection: string;
  readonly filter: TextFilter;
  readonly onApply: (typed: string) => void;
}

/** The field of a filter by a text, which the service checks before the list has it. */
function TextField({ collection, filter, onApply }: TextFieldProps) {
  const [text, setText] = useState('');
  const check = useFilterCheck(collection, (typed: string) => withText({}, filter, typed), onApply);
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
