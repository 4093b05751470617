import { Combobox, Modal, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { MagnifyingGlassIcon } from '@radix-ui/react-icons';
import { useEffect, useEffectEvent, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import classes from './search.module.css';
import type { Action } from './palette-actions';
import { useActions } from './search-actions';
import { leaveKeysToField, searchState } from './search-keys';

const TYPING_DELAY = 120;

interface Props {
  readonly onClose: () => void;
  /** Shows the keyboard shortcuts. */
  readonly onShortcuts: () => void;
}

/** The dialog of Ctrl-K: everything that the API finds, what can be done with it, and the pages. The first is selected. */
export function Search({ onClose, onShortcuts }: Props) {
  // What was typed before the field was here, until it is changed in it.
  const typed = useSyncExternalStore(searchState.subscribe, searchState.typedKeys);
  const [ownText, setText] = useState<string>();
  const text = ownText ?? typed.text;
  const [debouncedText] = useDebouncedValue(text.trim(), TYPING_DELAY);
  const { actions, message, isOutdated } = useActions(text.trim(), debouncedText, onShortcuts);
  const [ownSubmitted, setSubmitted] = useState<string>();
  const submitted = ownText === undefined && typed.isSubmitted ? typed.text : ownSubmitted;
  // The list takes Escape before the dialog sees it.
  const combobox = useCombobox({ opened: true, onDropdownClose: onClose });
  useLayoutEffect(leaveKeysToField, []);
  const { selectFirstOption } = combobox;
  const [first] = actions;
  const firstId = first?.id;
  useEffect(() => {
    selectFirstOption();
  }, [firstId, selectFirstOption]);
  const choose = ({ open }: Action) => {
    if (typeof open === 'string') {
      setText(open);
      setSubmitted(undefined);
      return;
    }
    open();
    onClose();
  };
  const chooseFirst = useEffectEvent(() => {
    if (!first || typeof first.open === 'string') return;
    first.open();
    onClose();
  });
  const isDue = submitted === text && !isOutdated && first !== undefined;
  useEffect(() => {
    if (isDue) chooseFirst();
  }, [isDue]);
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      padding={0}
      size="lg"
      yOffset="12vh"
      // The dialog has no title.
      attributes={{ content: { 'aria-label': 'Search' } }}
    >
      <Combobox
        store={combobox}
        withinPortal={false}
        onOptionSubmit={(id) => {
          const chosen = actions.find((action) => action.id === id);
          if (chosen) choose(chosen);
        }}
      >
        <Combobox.EventsTarget>
          <TextInput
            // Not later, as the dialog would do it: keys that follow Ctrl-K at once belong to the field.
            autoFocus
            data-autofocus
            aria-label="Search"
            placeholder="Name, address, variable, value, change or action"
            classNames={{ input: classes.input }}
            leftSection={<MagnifyingGlassIcon aria-hidden />}
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value);
              setSubmitted(undefined);
            }}
            onKeyDownCapture={(event) => {
              if (event.key !== 'Enter' || !isOutdated) return;
              // What is shown was found for an earlier text.
              event.preventDefault();
              event.stopPropagation();
              setSubmitted(text);
            }}
          />
        </Combobox.EventsTarget>
        <Combobox.Options className={classes.options} aria-label="Found">
          {actions.map(({ id, icon, title, description }) => (
            <Combobox.Option key={id} value={id} className={classes.option}>
              {icon}
              <span className={classes.title}>{title}</span>
              <span className={classes.description}>{description}</span>
            </Combobox.Option>
          ))}
          {actions.length === 0 && <Combobox.Empty>{message}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox>
    </Modal>
  );
}
