import { Autocomplete, Button, Group, Modal, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useKeyCompletions } from '../../api/variable-keys';
import { counted } from '../../components/counted';
import { PreviewedWrite, usePreloadedPreview, type PlannedWrite } from '../../components/previewed-write';
import { jsonProblem } from '../../components/variable-write';
import { planBulkChange, type BulkChange, type SelectedDevice } from './bulk-change';

type Action = BulkChange['action'];

const ACTIONS: readonly { readonly value: Action; readonly label: string }[] = [
  { value: 'set', label: 'Set a variable' },
  { value: 'unset', label: 'Unset a variable' },
  { value: 'add-label', label: 'Add a label' },
  { value: 'remove-label', label: 'Remove a label' },
  { value: 'activate', label: 'Make active' },
  { value: 'deactivate', label: 'Make inactive' },
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
  if (plan) return <PreviewedWrite write={plan} onClose={onClose} onApplied={onApplied} />;
  return (
    <Modal opened onClose={onClose} title={`Change ${counted(devices.length, 'device')}`} centered>
      <BulkForm
        onCancel={onClose}
        onSubmit={(change) => {
          setPlan(planBulkChange(kind, devices, change));
        }}
      />
    </Modal>
  );
}

interface FormProps {
  readonly onSubmit: (change: BulkChange) => void;
  readonly onCancel: () => void;
}

function BulkForm({ onSubmit, onCancel }: FormProps) {
  const [action, setAction] = useState<Action>('set');
  const [key, setKey] = useState('');
  const [text, setText] = useState('');
  const [label, setLabel] = useState('');
  const [isChecked, setChecked] = useState(false);
  const hasKey = action === 'set' || action === 'unset';
  const hasLabel = action === 'add-label' || action === 'remove-label';
  const problems = {
    key: hasKey && key.trim() === '' ? 'Enter a key.' : undefined,
    text: action === 'set' ? jsonProblem(text) : undefined,
    label: hasLabel && label.trim() === '' ? 'Enter a label.' : undefined,
  };
  const completions = useKeyCompletions(key.trim());
  usePreloadedPreview();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setChecked(true);
        if (Object.values(problems).every((problem) => problem === undefined))
          onSubmit(changeOf(action, key.trim(), text.trim(), label.trim()));
      }}
    >
      <Stack gap="xs">
        <Select
          label="What to do"
          data-autofocus
          data={ACTIONS}
          value={action}
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

function changeOf(action: Action, key: string, text: string, label: string): BulkChange {
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
      return { action };
  }
}
