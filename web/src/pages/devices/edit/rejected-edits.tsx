import { Button, Text } from '@mantine/core';
import { useLayoutEffect, useRef } from 'react';
import { FaultButton } from '../../../components/fault-button';
import { Notice } from '../../../components/notice';
import { useExpectsText } from '../../../components/expects-text';
import { asTexts } from './as-texts';
import { editTitle } from './edit-titles';
import { cellKey, type CellEdit, type CellEdits, type CellFaults } from './cell-edit';
import classes from './cell-editor.module.css';

interface Props {
  readonly edits: CellEdits;
  readonly faults: CellFaults;
  readonly onReplace: (edits: readonly CellEdit[]) => void;
  /** Called with an edit whose cell is to be edited again. */
  readonly onCorrect: (edit: CellEdit) => void;
  /** Whether the preview that has rejected them was just closed: the first one gets the focus. */
  readonly takesFocus: boolean;
}

/** The edits that the service has rejected, and why. Numbers can become texts, where these are expected. */
export function RejectedEdits({ edits, faults, onReplace, onCorrect, takesFocus }: Props) {
  const list = useRef<HTMLUListElement>(null);
  // Before the focus returns to the button that has opened the preview.
  useLayoutEffect(() => {
    if (takesFocus) list.current?.querySelector('button')?.focus();
  }, [takesFocus]);
  const rejected = [...edits.values()].filter((edit) => faults.has(edit));
  if (rejected.length === 0) return null;
  const variables = new Set(
    rejected.flatMap(({ change }) => (change.type === 'variable' ? [change.path.text] : [])),
  );
  return (
    <Notice kind="error" title="The service has rejected this">
      <ul ref={list} className={classes.problems}>
        {rejected.map((edit) => (
          <li key={cellKey(edit.device.id, edit.column)}>
            <FaultButton
              onClick={() => {
                onCorrect(edit);
              }}
            >
              {editTitle(edit)}
            </FaultButton>
            : {faults.get(edit)}
          </li>
        ))}
      </ul>
      {[...variables].map((variable) => (
        <TextsOffer
          key={variable}
          variable={variable}
          texts={asTexts(edits, variable)}
          onReplace={onReplace}
        />
      ))}
    </Notice>
  );
}

interface OfferProps extends Pick<Props, 'onReplace'> {
  readonly variable: string;
  /** The edits of its numbers and booleans, as texts. */
  readonly texts: readonly CellEdit[];
}

function TextsOffer({ variable, texts, onReplace }: OfferProps) {
  const reason = useExpectsText(variable, texts.length > 0);
  if (reason === undefined) return null;
  return (
    <Text size="sm">
      {reason}.{' '}
      <Button
        variant="subtle"
        size="compact-sm"
        onClick={() => {
          onReplace(texts);
        }}
      >
        {texts.length === 1 ? 'As a text' : `All ${texts.length} as texts`}
      </Button>
    </Text>
  );
}
