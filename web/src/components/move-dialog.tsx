import { useState } from 'react';
import type { DeviceLocation } from './device-location';
import { FormDialog } from './form-dialog';
import { LocationSelect, useLocationTitle } from './location-select';
import { planUpdate } from './resource-write';
import type { VariableOwner } from './variable-write';

interface Props {
  readonly owner: VariableOwner;
  /** As it was read. */
  readonly device: DeviceLocation & { readonly version: number };
  readonly onClose: () => void;
}

/** Moves a device to another region or cell. */
export function MoveDialog({ owner: { kind, collection, id, name }, device, onClose }: Props) {
  const [location, setLocation] = useState<DeviceLocation>();
  const titleOf = useLocationTitle();
  return (
    <FormDialog
      title={`Move ${name}`}
      isShort
      plan={() => {
        if (!location) return 'Choose a region or cell.';
        const { region_id, cell_id } = location;
        if (region_id === device.region_id && cell_id === device.cell_id)
          return `${name} is there already. Choose another region or cell.`;
        const to = titleOf(location);
        const cell = cell_id === null ? ['--clear', 'cell'] : ['--cell', String(cell_id)];
        const command = ['muster', kind, 'update', name, '--region', String(region_id), ...cell];
        return planUpdate({ title: `Move ${name} to ${to}`, command }, `/v1/${collection}/${id}`, device, {
          region_id,
          cell_id,
        });
      }}
      onClose={onClose}
      onApplied={onClose}
    >
      <LocationSelect from={device} location={location} onChange={setLocation} />
    </FormDialog>
  );
}
