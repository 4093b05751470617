import { Autocomplete } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useKeyCompletions } from '../api/variable-keys';
import { parseVariablePath } from './variable-path';

const TYPING_DELAY = 150;

/** A field that completes keys, for a column of a variable, or of a part of its value. */
export function AddVariable({ onAdd }: { readonly onAdd: (path: string) => void }) {
  const [text, setText] = useState('');
  const [isRefused, setRefused] = useState(false);
  const [prefix] = useDebouncedValue(text, TYPING_DELAY);
  const keys = useKeyCompletions(prefix);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const path = text.trim();
        if (path === '') return;
        if (!parseVariablePath(path)) {
          setRefused(true);
          return;
        }
        onAdd(path);
        setText('');
      }}
    >
      <Autocomplete
        label="Add a variable"
        placeholder="ntp_servers"
        autoFocus
        // The completions would cover the columns before anything is typed.
        openOnFocus={false}
        data={keys}
        value={text}
        error={isRefused ? 'Enter a key, or a path such as rack.row or disks[0].size.' : undefined}
        onChange={(changed) => {
          setText(changed);
          setRefused(false);
        }}
        onOptionSubmit={(key) => {
          onAdd(key);
          setText('');
        }}
        // Within the popover, so that its focus trap covers the options.
        comboboxProps={{ withinPortal: false }}
      />
    </form>
  );
}
