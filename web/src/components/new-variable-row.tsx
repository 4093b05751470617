import { Autocomplete } from '@mantine/core';
import { useState } from 'react';
import { useKeyCompletions } from '../api/variable-keys';
import { PreviewedWrite, type PlannedWrite } from './previewed-write';
import { NOT_SET, planSetVariable, type VariableOwner } from './variable-write';
import classes from './variables-table.module.css';
import { ValueEditor } from './value-editor';

interface Props {
  readonly owner: VariableOwner;
  readonly onClose: () => void;
}

/** A variable that the resource does not set yet. */
export function NewVariableRow({ owner, onClose }: Props) {
  const [key, setKey] = useState('');
  const [plan, setPlan] = useState<PlannedWrite>();
  const [isChecked, setChecked] = useState(false);
  const completions = useKeyCompletions(key);
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
          owner={owner}
          label="Value of the new variable"
          value={undefined}
          onSave={(text) => {
            setChecked(true);
            // If the resource sets it already, the dry run reports a conflict.
            if (key !== '') setPlan(planSetVariable(owner, key, NOT_SET, text));
          }}
          onCancel={onClose}
        />
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
