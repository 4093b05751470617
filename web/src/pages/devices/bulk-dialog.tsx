import { Autocomplete, Select } from '@mantine/core';
import { useRef } from 'react';
import { deviceKind } from '../../api/kinds';
import { useLocations } from '../../api/locations';
import { useKeyCompletions } from '../../api/variable-keys';
import { counted } from '../../components/counted';
import type { DeviceLocation } from '../../components/device-location';
import { FormDialog } from '../../components/form-dialog';
import { useFormField, type FieldProblem } from '../../components/form-problems';
import { FormTextInput } from '../../components/form-text-input';
import { LocationSelect } from '../../components/location-select';
import { RightsHint } from '../../components/rights';
import { VariableTextHint } from '../../components/variable-text-hint';
import { EnteredNote } from '../../components/entered-note';
import { enteredValue } from '../../components/typed-text';
import { useFields } from '../../components/use-fields';
import {
  MAX_DELETED,
  planBulkChange,
  type BulkChange,
  type LocationNames,
  type SelectedDevice,
} from './bulk-change';

type Action = BulkChange['action'];

const KEY = 'key';
const LABEL = 'label';
const VALUE = 'value';

const ACTIONS: readonly { readonly value: Action; readonly label: string }[] = [
  { value: 'set', label: 'Set a variable' },
  { value: 'unset', label: 'Unset a variable' },
  { value: 'add-label', label: 'Add a label' },
  { value: 'remove-label', label: 'Remove a label' },
  { value: 'activate', label: 'Make active' },
  { value: 'deactivate', label: 'Make inactive' },
  { value: 'move', label: 'Move to another region or cell' },
  { value: 'delete', label: 'Delete' },
];

interface Props {
  readonly kind: string;
  readonly devices: readonly SelectedDevice[];
  readonly onClose: () => void;
  readonly onApplied: () => void;
}

/** Asks what to do with the selected devices, and previews it. */
export function BulkDialog({ kind, devices, onClose, onApplied }: Props) {
  const [values, change] = useFields<BulkValues>({
    action: 'set',
    key: '',
    text: '',
    label: '',
    location: undefined,
  });
  const { regionName, cellName } = useLocations();
  const namesOf = ({ region_id, cell_id }: DeviceLocation): LocationNames => ({
    region: regionName(region_id),
    cell: cell_id === null ? null : cellName(cell_id),
  });
  return (
    <FormDialog
      title={`Change ${counted(devices.length, 'device')}`}
      plan={() => {
        const planned = changeOf(values, devices.length, namesOf);
        return typeof planned === 'object' && 'action' in planned
          ? planBulkChange(kind, devices, planned)
          : planned;
      }}
      onClose={onClose}
      onApplied={() => {
        onClose();
        onApplied();
      }}
    >
      <BulkFields kind={kind} values={values} onChange={change} />
    </FormDialog>
  );
}

interface BulkValues {
  readonly action: Action;
  readonly key: string;
  readonly text: string;
  readonly label: string;
  readonly location: DeviceLocation | undefined;
}

interface FieldsProps {
  readonly kind: string;
  readonly values: BulkValues;
  readonly onChange: (changed: Partial<BulkValues>) => void;
}

const hasKey = (action: Action): boolean => action === 'set' || action === 'unset';
const hasLabel = (action: Action): boolean => action === 'add-label' || action === 'remove-label';

function BulkFields({ kind, values: { action, key, text, label, location }, onChange }: FieldsProps) {
  const completions = useKeyCompletions(key.trim());
  const keyField = useFormField(KEY);
  return (
    <>
      <Select
        label="What to do"
        data-autofocus
        data={ACTIONS}
        value={action}
        onChange={(chosen) => {
          onChange({ action: ACTIONS.find(({ value }) => value === chosen)?.value ?? 'set' });
        }}
        comboboxProps={{ withinPortal: false }}
      />
      {hasKey(action) && (
        <Autocomplete
          {...keyField}
          label="Key"
          data={completions}
          value={key}
          onChange={(entered) => {
            onChange({ key: entered });
          }}
          comboboxProps={{ withinPortal: false }}
        />
      )}
      {action === 'set' && (
        <ValueField
          variable={key.trim()}
          text={text}
          onChange={(entered) => {
            onChange({ text: entered });
          }}
        />
      )}
      {hasLabel(action) && (
        <FormTextInput
          name={LABEL}
          label="Label"
          value={label}
          onChange={(event) => {
            onChange({ label: event.currentTarget.value });
          }}
        />
      )}
      {action === 'move' && (
        <LocationSelect
          from={undefined}
          location={location}
          onChange={(chosen) => {
            onChange({ location: chosen });
          }}
        />
      )}
      <RightsHint
        collection={deviceKind(kind)?.collection ?? ''}
        {...(hasKey(action) ? { keys: key.trim() === '' ? [] : [key.trim()] } : {})}
      />
    </>
  );
}

interface ValueProps {
  readonly variable: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** The value for all devices. */
function ValueField({ variable, text, onChange }: ValueProps) {
  const field = useRef<HTMLInputElement>(null);
  const entered = enteredValue(text);
  return (
    <>
      <FormTextInput
        name={VALUE}
        ref={field}
        label="Value"
        description="12, true, null, [ … ], { … } or a text, which needs double quotes only if it could be one of these"
        value={text}
        onChange={(event) => {
          onChange(event.currentTarget.value);
        }}
      />
      <EnteredNote entered={entered} />
      <VariableTextHint {...{ variable, onChange, field }} text={'json' in entered ? entered.json : ''} />
    </>
  );
}

/** The change that a form describes, or what is wrong with it. */
function changeOf(
  { action, location, ...texts }: BulkValues,
  count: number,
  namesOf: (location: DeviceLocation) => LocationNames,
): BulkChange | FieldProblem | string {
  const key = texts.key.trim();
  const label = texts.label.trim();
  const text = texts.text.trim();
  if (hasKey(action) && key === '') return { field: KEY, message: 'Enter a key.' };
  if (hasLabel(action) && label === '') return { field: LABEL, message: 'Enter a label.' };
  switch (action) {
    case 'set': {
      const entered = enteredValue(text);
      return 'json' in entered
        ? { action, key, text: entered.json }
        : { field: VALUE, message: entered.problem };
    }
    case 'unset':
      return { action, key };
    case 'add-label':
    case 'remove-label':
      return { action, label };
    case 'activate':
    case 'deactivate':
      return { action };
    case 'delete':
      return count > MAX_DELETED
        ? `At most ${MAX_DELETED.toLocaleString()} devices are deleted at once.`
        : { action };
    case 'move':
      return location ? { action, location, names: namesOf(location) } : 'Choose a region or cell.';
  }
}
