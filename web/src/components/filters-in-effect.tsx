import type { ReactNode } from 'react';
import { useLocations } from '../api/locations';
import { CloudName } from './cloud-name';
import { FilterChips } from './filter-chips';
import type { FilterProps } from './filter-props';
import { LevelMark } from './level-mark';
import type { ListSearch } from './list-search';
import { VariableFilterText } from './variable-filter-text';
import { variableFiltersOf, withReplaced } from './variable-filters';

/** The filters of a list as chips: each can be removed, and those by variables can be edited. */
export function FiltersInEffect({ collection, search, onChange }: Omit<FilterProps, 'filters'>) {
  const locations = useLocations();
  const { name_prefix, cloud_id, region_id, cell_id, label = [], active, device_type, ip } = search;
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
  for (const filter of variableFiltersOf(search))
    chips.push({
      name: filter.text,
      text: (
        <VariableFilterText
          collection={collection}
          text={filter.text}
          onReplace={(others) => {
            onChange(withReplaced(search, filter, others));
          }}
        />
      ),
      without: withReplaced(search, filter, []),
    });
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
