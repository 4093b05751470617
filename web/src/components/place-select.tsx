import { Select } from '@mantine/core';
import { useLocations } from '../api/locations';

/** Where a device is: a region, or a cell of it. */
export interface Place {
  readonly region_id: number;
  readonly cell_id: number | null;
}

interface Props {
  readonly place: Place | undefined;
  readonly onChange: (place: Place | undefined) => void;
}

const valueOf = ({ region_id, cell_id }: Place): string => `${region_id}/${cell_id ?? ''}`;

/** The name of a place: `north`, or `north/rack-a`. */
export function usePlaceTitle(): (place: Place) => string {
  const { regionName, cellTitle } = useLocations();
  return ({ region_id, cell_id }) => (cell_id === null ? regionName(region_id) : cellTitle(cell_id));
}

/** Chooses a region, or a cell with its region. */
export function PlaceSelect({ place, onChange }: Props) {
  const { regions, cells } = useLocations();
  const titleOf = usePlaceTitle();
  const places = regions.flatMap(({ id }): Place[] => [
    { region_id: id, cell_id: null },
    ...cells.filter(({ region_id }) => region_id === id).map((cell) => ({ region_id: id, cell_id: cell.id })),
  ]);
  return (
    <Select
      label="Place"
      description="A region, or a cell of it"
      data-autofocus
      required
      searchable
      limit={100}
      nothingFoundMessage="No such region or cell"
      data={places.map((one) => ({ value: valueOf(one), label: titleOf(one) }))}
      value={place ? valueOf(place) : null}
      onChange={(value) => {
        onChange(places.find((one) => valueOf(one) === value));
      }}
      comboboxProps={{ withinPortal: false }}
    />
  );
}
