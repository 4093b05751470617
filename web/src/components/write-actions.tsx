import { Button, Group, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { isAdmin, sessionQuery } from '../api/session';
import { SUBMIT_SHORTCUT } from './submit-shortcut';
import classes from './write-actions.module.css';
import type { Intent } from './write-intent';
import type { Refusal } from './write-preview';

/** The button that sends a write. */
export const SUBMIT: Readonly<Record<Intent, string>> = {
  apply: 'Apply',
  propose: 'Propose',
  override: 'Override and apply',
};

interface Props {
  readonly intent: Intent;
  readonly onChoose: (intent: Intent) => void;
  readonly refusal: Refusal | undefined;
  readonly isProposable: boolean;
  readonly isPreviewed: boolean;
  readonly canSubmit: boolean;
  readonly isConflict: boolean;
  readonly isSending: boolean;
  /** Whether it is written, and the page is being read again. */
  readonly isFinished: boolean;
  readonly onClose: () => void;
}

/** The buttons of the dialog before a write. Below the impact, but next to the reason for the keyboard: the impact may have hundreds of links. */
export function WriteActions({
  intent,
  onChoose,
  refusal,
  isProposable,
  isPreviewed,
  canSubmit,
  isConflict,
  isSending,
  isFinished,
  onClose,
}: Props) {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const choice = (next: Intent, text: string, isDisabled = false) => (
    <Button
      variant="default"
      disabled={isDisabled}
      onClick={() => {
        onChoose(next);
      }}
    >
      {text}
    </Button>
  );
  return (
    <Group className={classes.actions} justify="flex-end" gap="xs">
      <Text span size="sm" role="status">
        {isFinished && 'Written. Reading the page again…'}
      </Text>
      <Button variant="default" onClick={onClose}>
        {isFinished ? 'Close' : 'Cancel'}
      </Button>
      {refusal?.isRule === true &&
        isAdmin(session) &&
        intent === 'propose' &&
        choice('override', 'Override…')}
      {isProposable && intent !== 'propose' && choice('propose', 'Propose…', isConflict || !isPreviewed)}
      {intent === 'propose' && !refusal && choice('apply', 'Do not propose')}
      <Button type="submit" {...SUBMIT_SHORTCUT} disabled={!canSubmit} loading={isSending}>
        {SUBMIT[intent]}
      </Button>
    </Group>
  );
}
