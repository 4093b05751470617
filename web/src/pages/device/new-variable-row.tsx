import { Autocomplete } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useKeyCompletions } from '../../api/variable-keys';
import { PreviewedWrite, type PlannedWrite } from '../../components/previewed-write';
import { ErrorAlert } from '../../components/states';
import { planSetVariable, readOwnVariable, type VariableOwner } from '../../components/variable-write';
import classes from './device-page.module.css';
import { ValueEditor } from './value-editor';

interface Props {
  readonly owner: VariableOwner;
  readonly onClose: () => void;
}

/** A variable that the device does not set yet. */
export function NewVariableRow({ owner, onClose }: Props) {
  const [key, setKey] = useState('');
  const [plan, setPlan] = useState<PlannedWrite>();
  const [isChecked, setChecked] = useState(false);
  const completions = useKeyCompletions(key);
  const prepare = useMutation({
    mutationFn: async (text: string) => planSetVariable(owner, key, await readOwnVariable(owner, key), text),
    onSuccess: setPlan,
  });
  return (
    <tr>
      <td>
        <Autocomplete
          aria-label="Key of the new variable"
          placeholder="key"
          data={completions}
          autoFocus
          value={key}
          onChange={setKey}
          error={isChecked && key === '' ? 'Enter a key.' : undefined}
        />
      </td>
      <td colSpan={2}>
        <ValueEditor
          label="Value of the new variable"
          value={undefined}
          onSave={(text) => {
            setChecked(true);
            if (key !== '') prepare.mutate(text);
          }}
          onCancel={onClose}
        />
        {prepare.error && <ErrorAlert error={prepare.error} />}
        {plan && (
          <PreviewedWrite
            write={plan}
            onClose={() => {
              setPlan(undefined);
            }}
            onApplied={onClose}
          />
        )}
      </td>
      <td className={classes.actions} />
    </tr>
  );
}
