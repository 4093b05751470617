import { Autocomplete } from '@mantine/core';
import { useState } from 'react';
import { useKeyCompletions } from '../api/variable-keys';
import type { DeferredWrite } from './planned-write';
import { PreviewedWrite } from './previewed-write';
import { useUnsaved } from './unsaved';
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
  const [plan, setPlan] = useState<DeferredWrite>();
  const [isChecked, setChecked] = useState(false);
  const completions = useKeyCompletions(key);
  const unsaved = useUnsaved('add');
  const close = () => {
    unsaved.forget();
    onClose();
  };
  return (
    <tr>
      <td {...unsaved.entering}>
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
          name={key === '' ? undefined : key}
          value={undefined}
          onSave={(text) => {
            setChecked(true);
            // If the resource sets it already, the dry run reports a conflict.
            if (key !== '') setPlan(planSetVariable(owner, key, () => Promise.resolve(NOT_SET), text));
          }}
          onCancel={onClose}
          unsaved={unsaved}
        />
        {plan && (
          <PreviewedWrite
            write={plan}
            onClose={() => {
              setPlan(undefined);
            }}
            onApplied={close}
            onKeepTheirs={close}
            onProposed={close}
          />
        )}
      </td>
      <td className={classes.actions} />
    </tr>
  );
}
