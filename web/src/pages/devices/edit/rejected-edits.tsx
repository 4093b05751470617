import { Button, Text } from '@mantine/core';
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
}

/** The edits that the service has rejected, and why. Numbers can become texts, where these are expected. */
export function RejectedEdits({ edits, faults, onReplace }: Props) {
  const rejected = [...edits.values()].filter((edit) => faults.has(edit));
  if (rejected.length === 0) return null;
  const variables = new Set(
    rejected.flatMap(({ change }) => (change.type === 'variable' ? [change.path.text] : [])),
  );
  return (
    <Notice kind="error" title="The service has rejected this">
      <ul className={classes.problems}>
        {rejected.map((edit) => (
          <li key={cellKey(edit.device.id, edit.column)}>
            {editTitle(edit)}: {faults.get(edit)}
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
