import { MultiSelect, Select } from '@mantine/core';
import { useClouds, useLocations } from '../api/locations';
import type { FilterProps } from './filter-props';
import { LabelsFilter, ParentFilter, SecretFilter } from './reference-filters';
import { ABSENCES, absencesIn, idsIn, withAbsences, withIds, withRegions } from './id-filters';

/** The largest number of regions or cells that are offered at once. */
const MAX_OPTIONS = 100;

/** The filters whose values are chosen from a list. `has_labels` is what devices lack, `label` the labels that they have. */
export type ChosenFilterName =
  | 'cloud_id'
  | 'region_id'
  | 'cell_id'
  | 'parent_id'
  | 'access_secret_id'
  | 'active'
  | 'has_labels'
  | 'label';

type FieldProps = Pick<FilterProps, 'search' | 'onChange' | 'maxRegions'>;

interface Props extends FieldProps {
  readonly filter: ChosenFilterName;
  /** Which parent, or access secret, is replaced; undefined: one is added. */
  readonly id?: number | undefined;
}

/** The field of a filter whose values are chosen from a list, with those that are in effect. */
export function ChosenFilter({ filter, id, ...props }: Props) {
  switch (filter) {
    case 'cloud_id':
      return <CloudFilter {...props} />;
    case 'region_id':
      return <RegionFilter {...props} />;
    case 'cell_id':
      return <CellFilter {...props} />;
    case 'parent_id':
      return <ParentFilter id={id} {...props} />;
    case 'access_secret_id':
      return <SecretFilter id={id} {...props} />;
    case 'active':
      return <StateFilter {...props} />;
    case 'has_labels':
      return <AbsenceFilter {...props} />;
    case 'label':
      return <LabelsFilter {...props} />;
  }
}

function CloudFilter({ search: { cloud_id }, onChange }: FieldProps) {
  const { clouds } = useClouds();
  return (
    <IdSelect
      label="Cloud"
      options={clouds}
      values={cloud_id === undefined ? [] : [cloud_id]}
      max={1}
      onSelect={([chosen]) => {
        onChange({ cloud_id: chosen });
      }}
    />
  );
}

function RegionFilter({ search, onChange, maxRegions = MAX_OPTIONS }: FieldProps) {
  const { regions, cells } = useLocations();
  return (
    <IdSelect
      label="Region"
      options={regions}
      values={search.region_id ?? []}
      max={maxRegions}
      onSelect={(ids) => {
        onChange(withRegions(search, ids, cells));
      }}
    />
  );
}

function CellFilter({ search, onChange }: FieldProps) {
  const locations = useLocations();
  const { region_id: regions = [] } = search;
  const [onlyRegion] = regions.length === 1 ? regions : [];
  const cells = locations.cells.filter(
    ({ region_id }) => regions.length === 0 || regions.includes(region_id),
  );
  return (
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
  );
}

const StateFilter = ({ search: { active }, onChange }: FieldProps) => (
  <Select
    label="State"
    data-autofocus
    clearable
    data={[
      { value: 'true', label: 'active' },
      { value: 'false', label: 'inactive' },
    ]}
    value={active === undefined ? null : String(active)}
    onChange={(value) => {
      onChange({ active: value === null ? undefined : value === 'true' });
    }}
    comboboxProps={{ withinPortal: false }}
  />
);

const AbsenceFilter = ({ search, onChange }: FieldProps) => (
  <MultiSelect
    label="Without"
    data-autofocus
    searchable
    data={[...ABSENCES]}
    value={[...absencesIn(search)]}
    onChange={(names) => {
      onChange(withAbsences(search, names));
    }}
    comboboxProps={{ withinPortal: false }}
  />
);

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
    data-autofocus
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
