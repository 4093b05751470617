import { TextInput } from '@mantine/core';
import { MAX_TITLE_LENGTH } from '../api/proposals';
import { MAX_REASON_LENGTH } from './change-reason';

/** What the dialog of a write does with it. */
export type Intent = 'apply' | 'propose' | 'override';

interface Props {
  readonly intent: Intent;
  /** Whether a button was pressed for it, so that the field gets the focus. */
  readonly isChosen: boolean;
  /** The title of the proposal. */
  readonly title: string;
  readonly onTitle: (title: string) => void;
  /** Why a rule is overridden. */
  readonly why: string;
  readonly onWhy: (why: string) => void;
}

/** What is typed replaces the title that is there. */
const selectText = (field: HTMLInputElement | null) => field?.select();

/** What proposing and overriding need. */
export function IntentFields({ intent, isChosen, title, onTitle, why, onWhy }: Props) {
  if (intent === 'propose')
    return (
      <TextInput
        // Another intent has another field, which gets the focus.
        key="title"
        ref={isChosen ? selectText : null}
        label="Title of the proposal"
        description="Nothing is changed until others have approved it, and someone applies it."
        required
        autoFocus={isChosen}
        maxLength={MAX_TITLE_LENGTH}
        value={title}
        onChange={(event) => {
          onTitle(event.currentTarget.value);
        }}
      />
    );
  if (intent === 'override')
    return (
      <TextInput
        key="why"
        label="Why it cannot wait for an approval"
        description="Stored with the change, which is listed as an override of the rule."
        required
        autoFocus={isChosen}
        maxLength={MAX_REASON_LENGTH}
        value={why}
        onChange={(event) => {
          onWhy(event.currentTarget.value);
        }}
      />
    );
  return null;
}
