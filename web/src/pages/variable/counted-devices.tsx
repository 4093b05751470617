import { SegmentedControl, TextInput } from '@mantine/core';
import { FilterBar } from '../../components/filter-bar';
import { DEVICE_FILTERS } from '../../components/list-search';
import { defaultKind, deviceCollections, kindTitle } from '../../api/kinds';
import classes from './variable-page.module.css';
import type { VariableSearch } from './variable-search';

interface Props {
  readonly search: VariableSearch;
  readonly onChange: (changed: VariableSearch) => void;
}

/** Which devices are counted, and by which part of the value. */
export const CountedDevices = ({ search, onChange }: Props) => (
  <div className={classes.bar}>
    <SegmentedControl
      aria-label="Kind of device"
      value={search.collection ?? defaultKind.collection}
      data={deviceCollections.map((value) => ({ value, label: kindTitle(value) }))}
      onChange={(collection) => {
        onChange({ collection });
      }}
    />
    <TextInput
      aria-label="Part of the value"
      placeholder="Part: rack.row, [0]"
      w={150}
      defaultValue={search.path}
      onBlur={(event) => {
        onChange({ path: event.currentTarget.value.trim() || undefined });
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onChange({ path: event.currentTarget.value.trim() || undefined });
      }}
    />
    <FilterBar filters={DEVICE_FILTERS} search={search} onChange={onChange} />
  </div>
);
