import { Select } from '@mantine/core';
import { useLocations } from '../api/locations';
import { type DeviceLocation, moveEffect } from './device-location';
import { MoveEffect } from './move-effect';

interface Props {
  /** Where the device is now; undefined: there are several devices. */
  readonly from: DeviceLocation | undefined;
  readonly location: DeviceLocation | undefined;
  readonly onChange: (location: DeviceLocation | undefined) => void;
}

const valueOf = ({ region_id, cell_id }: DeviceLocation): string => `${region_id}/${cell_id ?? ''}`;

/** The name of a location: `north`, or `north/rack-a`. */
export function useLocationTitle(): (location: DeviceLocation) => string {
  const { regionName, cellTitle } = useLocations();
  return ({ region_id, cell_id }) => (cell_id === null ? regionName(region_id) : cellTitle(cell_id));
}

/** Chooses a region, or a cell with its region, to which devices move. It says what this does besides. */
export function LocationSelect({ from, location, onChange }: Props) {
  const { regions, cells, cellTitle } = useLocations();
  const titleOf = useLocationTitle();
  const locations = regions.flatMap(({ id }): DeviceLocation[] => [
    { region_id: id, cell_id: null },
    ...cells.filter(({ region_id }) => region_id === id).map((cell) => ({ region_id: id, cell_id: cell.id })),
  ]);
  return (
    <>
      <Select
        label="Location"
        description="A region, or a cell of it"
        data-autofocus
        required
        searchable
        // What is typed and Enter choose it.
        selectFirstOptionOnChange
        placeholder={from && `now: ${titleOf(from)}`}
        limit={100}
        nothingFoundMessage="No such region or cell"
        data={locations.map((one) => ({ value: valueOf(one), label: titleOf(one) }))}
        value={location ? valueOf(location) : null}
        onChange={(value) => {
          onChange(locations.find((one) => valueOf(one) === value));
        }}
        comboboxProps={{ withinPortal: false }}
      />
      <MoveEffect text={location && moveEffect(from, location, cellTitle)} />
    </>
  );
}
