import type { ReactNode } from 'react';
import { useDeviceOfId } from '../api/device-of-id';
import { UNREAD_NAME, unknownName, useClouds, useLocations } from '../api/locations';
import {
  ABSENCES,
  absencesIn,
  type IdParameter,
  idsIn,
  withAbsences,
  withIds,
  withRegions,
} from './id-filters';
import type { ChosenFilterName } from './chosen-filter';
import { ChosenFilterChip } from './chosen-filter-chip';
import { EditableFilter } from './editable-filter';
import { FilterChips } from './filter-chips';
import type { FilterProps } from './filter-props';
import { LevelMark } from './level-mark';
import type { ListSearch } from './list-search';
import { TEXT_FILTERS, textsOf, withText, withTextReplaced, type TextFilter } from './text-filters';
import { filtersIn, searchOf, variableFiltersOf, withReplaced } from './variable-filters';

/** A chip, and the search parameters without its filter. */
interface Chip {
  readonly name: string;
  readonly text: ReactNode;
  readonly without: ListSearch;
}

/** The filters of a list as chips: each can be removed, and edited where it was typed or chosen from a list. */
export function FiltersInEffect(props: FilterProps) {
  const chips = [
    ...usePlaceChips(props),
    ...referenceChips(props),
    ...TEXT_FILTERS.flatMap((filter) =>
      textsOf(props.search, filter).map((text) => textChip(props, filter, text)),
    ),
    ...stateChips(props),
    ...variableChips(props),
  ];
  return (
    <FilterChips
      chips={chips.map(({ without, ...chip }) => ({
        ...chip,
        onRemove: () => {
          props.onChange(without);
        },
      }))}
    />
  );
}

/** The text of a chip as a button that opens the list from which its filter is chosen. */
const chosen = (
  props: FilterProps,
  filter: ChosenFilterName,
  name: string,
  text: ReactNode,
  id?: number,
): ReactNode => (
  <ChosenFilterChip {...props} filter={filter} name={name} id={id}>
    {text}
  </ChosenFilterChip>
);

/** The parent of a chip: by its name, which has no link here, because the chip is a button. */
function ParentChip({ id, ...props }: FilterProps & { readonly id: number }) {
  const { device, isPending } = useDeviceOfId(id);
  const name = device?.name ?? (isPending ? UNREAD_NAME : unknownName(id));
  const text = (
    <>
      Parent <LevelMark level="device">{name}</LevelMark>
    </>
  );
  return chosen(props, 'parent_id', `parent ${name}`, text, id);
}

function CloudChip({ id, ...props }: FilterProps & { readonly id: number }) {
  const name = useClouds().cloudName(id);
  return chosen(props, 'cloud_id', `cloud ${name}`, name);
}

function usePlaceChips(props: FilterProps): readonly Chip[] {
  const { search } = props;
  const { regionName, cellTitle, cells: known } = useLocations();
  const { cloud_id, region_id = [] } = search;
  const cells = idsIn(search, 'cell_id');
  return [
    ...(cloud_id === undefined
      ? []
      : [
          {
            name: 'cloud',
            text: <CloudChip {...props} id={cloud_id} />,
            without: { cloud_id: undefined },
          },
        ]),
    ...region_id.map((id) => {
      const others = region_id.filter((other) => other !== id);
      return {
        name: `region ${regionName(id)}`,
        text: chosen(
          props,
          'region_id',
          `region ${regionName(id)}`,
          <LevelMark level="region">{regionName(id)}</LevelMark>,
        ),
        without: withRegions(search, others, known),
      };
    }),
    ...cells.map((id) => ({
      name: `cell ${cellTitle(id)}`,
      text: chosen(
        props,
        'cell_id',
        `cell ${cellTitle(id)}`,
        <LevelMark level="cell">{cellTitle(id)}</LevelMark>,
      ),
      without: withoutId(search, 'cell_id', id),
    })),
  ];
}

/** What devices refer to, and what they lack. */
function referenceChips(props: FilterProps): readonly Chip[] {
  const { search } = props;
  const absent = absencesIn(search);
  return [
    ...idsIn(search, 'parent_id').map((id) => ({
      name: `parent ${String(id)}`,
      text: <ParentChip {...props} id={id} />,
      without: withoutId(search, 'parent_id', id),
    })),
    ...idsIn(search, 'access_secret_id').map((id) => ({
      name: `access secret ${String(id)}`,
      text: chosen(
        props,
        'access_secret_id',
        `access secret ${String(id)}`,
        `Access secret #${String(id)}`,
        id,
      ),
      without: withoutId(search, 'access_secret_id', id),
    })),
    ...ABSENCES.filter((name) => absent.includes(name)).map((name) => ({
      name: `without ${name}`,
      text: chosen(props, 'has_labels', `without ${name}`, `Without ${name}`),
      without: withAbsences(
        search,
        absent.filter((other) => other !== name),
      ),
    })),
  ];
}

const withoutId = (search: ListSearch, parameter: IdParameter, id: number): ListSearch =>
  withIds(
    search,
    parameter,
    idsIn(search, parameter).filter((other) => other !== id),
  );

function textChip({ search, onChange }: FilterProps, filter: TextFilter, text: string): Chip {
  const { title, words, parameter } = filter;
  const name = `${words} ${text}`;
  return {
    name,
    text: (
      <EditableFilter
        label={title}
        name={name}
        text={text}
        searchOf={(typed) => withText({}, filter, typed)}
        onReplace={(typed) => {
          onChange(withTextReplaced(search, filter, text, typed));
        }}
      >
        {parameter === 'label' ? (
          <LevelMark level="label">{text}</LevelMark>
        ) : (
          `${words.charAt(0).toUpperCase()}${name.slice(1)}`
        )}
      </EditableFilter>
    ),
    without: withTextReplaced(search, filter, text, ''),
  };
}

function stateChips(props: FilterProps): readonly Chip[] {
  const { active, has_labels } = props.search;
  return [
    ...(has_labels === true
      ? [
          {
            name: 'with labels',
            text: chosen(props, 'label', 'with labels', 'With labels'),
            without: { has_labels: undefined },
          },
        ]
      : []),
    ...(active === undefined
      ? []
      : [
          {
            name: 'state',
            text: chosen(
              props,
              'active',
              `state ${active ? 'active' : 'inactive'}`,
              active ? 'active' : 'inactive',
            ),
            without: { active: undefined },
          },
        ]),
  ];
}

const variableChips = ({ search, onChange }: FilterProps): readonly Chip[] =>
  variableFiltersOf(search).map((filter) => ({
    name: filter.text,
    text: (
      <EditableFilter
        label="Filter"
        name={filter.text}
        text={filter.text}
        searchOf={(typed) => searchOf(filtersIn(typed))}
        onReplace={(typed) => {
          onChange(withReplaced(search, filter, filtersIn(typed)));
        }}
      >
        <code>{filter.text}</code>
      </EditableFilter>
    ),
    without: withReplaced(search, filter, []),
  }));
