import { Autocomplete } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useKeyCompletions } from '../api/variable-keys';

const TYPING_DELAY = 150;

/** A field that completes keys, for a column of a variable. */
export function AddVariable({ onAdd }: { readonly onAdd: (key: string) => void }) {
  const [text, setText] = useState('');
  const [prefix] = useDebouncedValue(text, TYPING_DELAY);
  const keys = useKeyCompletions(prefix);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (text === '') return;
        onAdd(text);
        setText('');
      }}
    >
      <Autocomplete
        label="Add a variable"
        placeholder="ntp_servers"
        autoFocus
        data={keys}
        value={text}
        onChange={setText}
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
