import { Autocomplete, Button, Group, Modal, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { deviceKind } from '../../api/kinds';
import { useLocations } from '../../api/locations';
import { useKeyCompletions } from '../../api/variable-keys';
import { counted } from '../../components/counted';
import { PlaceSelect, type Place } from '../../components/place-select';
import { PreviewedWrite, usePreloadedPreview, type PlannedWrite } from '../../components/previewed-write';
import { RightsHint } from '../../components/rights';
import { useUnsaved, type Unsaved } from '../../components/unsaved';
import { jsonProblem } from '../../components/variable-write';
import {
  MAX_DELETED,
  planBulkChange,
  type BulkChange,
  type PlaceNames,
  type SelectedDevice,
} from './bulk-change';

type Action = BulkChange['action'];

const ACTIONS: readonly { readonly value: Action; readonly label: string }[] = [
  { value: 'set', label: 'Set a variable' },
  { value: 'unset', label: 'Unset a variable' },
  { value: 'add-label', label: 'Add a label' },
  { value: 'remove-label', label: 'Remove a label' },
  { value: 'activate', label: 'Make active' },
  { value: 'deactivate', label: 'Make inactive' },
  { value: 'move', label: 'Move to another place' },
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
  const [plan, setPlan] = useState<PlannedWrite>();
  const { entering, mayDiscard } = useUnsaved();
  if (plan) return <PreviewedWrite write={plan} onClose={onClose} onApplied={onApplied} />;
  return (
    <Modal
      opened
      onClose={() => {
        if (mayDiscard()) onClose();
      }}
      title={`Change ${counted(devices.length, 'device')}`}
      centered
    >
      <BulkForm
        count={devices.length}
        kind={kind}
        entering={entering}
        onCancel={onClose}
        onSubmit={(change) => {
          setPlan(planBulkChange(kind, devices, change));
        }}
      />
    </Modal>
  );
}

interface FormProps {
  readonly count: number;
  readonly kind: string;
  readonly entering: Unsaved['entering'];
  readonly onSubmit: (change: BulkChange) => void;
  readonly onCancel: () => void;
}

function BulkForm({ count, kind, entering, onSubmit, onCancel }: FormProps) {
  const [action, setAction] = useState<Action>('set');
  const [key, setKey] = useState('');
  const [text, setText] = useState('');
  const [label, setLabel] = useState('');
  const [place, setPlace] = useState<Place>();
  const { regionName, cellName } = useLocations();
  const [isChecked, setChecked] = useState(false);
  const hasKey = action === 'set' || action === 'unset';
  const hasLabel = action === 'add-label' || action === 'remove-label';
  const problems = {
    key: hasKey && key.trim() === '' ? 'Enter a key.' : undefined,
    text: action === 'set' ? jsonProblem(text) : undefined,
    label: hasLabel && label.trim() === '' ? 'Enter a label.' : undefined,
    place: action === 'move' && !place ? 'Choose a place.' : undefined,
    action:
      action === 'delete' && count > MAX_DELETED
        ? `At most ${MAX_DELETED.toLocaleString()} devices are deleted at once.`
        : undefined,
  };
  const namesOf = ({ region_id, cell_id }: Place): PlaceNames => ({
    region: regionName(region_id),
    cell: cell_id === null ? null : cellName(cell_id),
  });
  const completions = useKeyCompletions(key.trim());
  usePreloadedPreview();
  return (
    <form
      {...entering}
      onSubmit={(event) => {
        event.preventDefault();
        setChecked(true);
        if (Object.values(problems).some((problem) => problem !== undefined)) return;
        if (action !== 'move') onSubmit(changeOf(action, key.trim(), text.trim(), label.trim()));
        else if (place) onSubmit({ action, place, names: namesOf(place) });
      }}
    >
      <Stack gap="xs">
        <Select
          label="What to do"
          data-autofocus
          data={ACTIONS}
          value={action}
          error={isChecked && problems.action}
          onChange={(chosen) => {
            setAction(ACTIONS.find(({ value }) => value === chosen)?.value ?? 'set');
          }}
          comboboxProps={{ withinPortal: false }}
        />
        {hasKey && (
          <Autocomplete
            label="Key"
            data={completions}
            value={key}
            onChange={setKey}
            error={isChecked && problems.key}
            comboboxProps={{ withinPortal: false }}
          />
        )}
        {action === 'set' && (
          <TextInput
            label="Value"
            description="JSON: a text needs double quotes"
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value);
            }}
            error={isChecked && problems.text}
          />
        )}
        {hasLabel && (
          <TextInput
            label="Label"
            value={label}
            onChange={(event) => {
              setLabel(event.currentTarget.value);
            }}
            error={isChecked && problems.label}
          />
        )}
        {action === 'move' && (
          <PlaceSelect place={place} onChange={setPlace} error={isChecked && problems.place} />
        )}
        <RightsHint
          collection={deviceKind(kind)?.collection ?? ''}
          {...(hasKey ? { keys: key.trim() === '' ? [] : [key.trim()] } : {})}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit">Preview…</Button>
        </Group>
      </Stack>
    </form>
  );
}

function changeOf(action: Exclude<Action, 'move'>, key: string, text: string, label: string): BulkChange {
  switch (action) {
    case 'set':
      return { action, key, text };
    case 'unset':
      return { action, key };
    case 'add-label':
    case 'remove-label':
      return { action, label };
    case 'activate':
    case 'deactivate':
    case 'delete':
      return { action };
  }
}
