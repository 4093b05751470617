import { Checkbox, Kbd, Modal, Stack } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { hasSingleKeys, setSingleKeys } from './search-keys';
import classes from './shortcuts.module.css';
import { useNavigation } from './use-navigation';

/** The keys, and what they do. */
export function Shortcuts({ onClose }: { readonly onClose: () => void }) {
  const entries = useNavigation();
  const [areOn, setOn] = useState(hasSingleKeys);
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts" size="lg">
      <Stack gap="md">
        <div className={classes.columns}>
          <Keys title="Everywhere">
            <Key keys={['Ctrl', 'K']}>Search</Key>
            <Key keys={['/']}>Search</Key>
            <Key keys={['Ctrl', 'Enter']}>Preview what is edited, or apply it</Key>
            <Key keys={['Ctrl', 'Z']}>Undo the last change that was applied, after a preview</Key>
            <Key keys={['?']}>These shortcuts</Key>
            <Key keys={['Esc']}>Close a dialog</Key>
          </Keys>
          <Keys title="Lists">
            <Key keys={['↑', '↓']}>Move</Key>
            <Key keys={['Home', 'End']}>The first, the last row</Key>
            <Key keys={['Enter']}>Open</Key>
            <Key keys={['Space']}>Select</Key>
            <Key keys={['Shift', '↓']}>Select further rows, or further values</Key>
            <Key keys={['→', 'F2']}>Edit a value</Key>
            <Key keys={['Ctrl', 'D']}>Fill values down</Key>
            <Key keys={['Ctrl', 'V']}>Paste values</Key>
            <Key keys={['Ctrl', 'Z']}>
              Undo an edit of values that is not applied yet; with Shift, redo it
            </Key>
          </Keys>
          <Keys title="Go to">
            {entries.map(({ title, letter }) => (
              <Key key={title} keys={['G', letter.toUpperCase()]}>
                {title}
              </Key>
            ))}
          </Keys>
        </div>
        <Checkbox
          label="Single keys are shortcuts: / ? G"
          description="Turn this off if you enter text by speech. Ctrl-K always works."
          checked={areOn}
          onChange={(event) => {
            setSingleKeys(event.currentTarget.checked);
            setOn(event.currentTarget.checked);
          }}
        />
      </Stack>
    </Modal>
  );
}

const Keys = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section>
    <h3 className={classes.title}>{title}</h3>
    <dl className={classes.keys}>{children}</dl>
  </section>
);

const Key = ({ keys, children }: { readonly keys: readonly string[]; readonly children: ReactNode }) => (
  <>
    <dt>
      {keys.map((key) => (
        <Kbd key={key} size="xs">
          {key}
        </Kbd>
      ))}
    </dt>
    <dd>{children}</dd>
  </>
);
