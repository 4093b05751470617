import { useState } from 'react';
import { FormDialog } from './form-dialog';
import { PlaceSelect, usePlaceTitle, type Place } from './place-select';
import { planUpdate } from './resource-write';
import type { VariableOwner } from './variable-write';

interface Props {
  readonly owner: VariableOwner;
  /** As it was read. */
  readonly device: Place & { readonly version: number };
  readonly onClose: () => void;
}

/** Moves a device to another region or cell. */
export function MoveDialog({ owner: { kind, collection, id, name }, device, onClose }: Props) {
  const [place, setPlace] = useState<Place | undefined>(device);
  const titleOf = usePlaceTitle();
  return (
    <FormDialog
      title={`Move ${name}`}
      plan={() => {
        if (!place) return 'Choose a place.';
        const { region_id, cell_id } = place;
        if (region_id === device.region_id && cell_id === device.cell_id)
          return `${name} is there already. Choose another place.`;
        const to = titleOf(place);
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
      <PlaceSelect place={place} onChange={setPlace} />
    </FormDialog>
  );
}
