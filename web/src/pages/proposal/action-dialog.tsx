import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ItemErrors } from '../../components/item-errors';
import type { PlannedWrite } from '../../components/planned-write';
import { SUBMIT_SHORTCUT } from '../../components/submit-shortcut';
import { useUnsaved } from '../../components/unsaved';

interface Props extends Pick<PlannedWrite, 'itemTitle'> {
  readonly title: string;
  /** The text of the button. */
  readonly verb: string;
  readonly children: ReactNode;
  readonly isComplete?: boolean;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly size?: 'md' | 'lg' | 'xl';
}

/** The dialog of an action on a proposal. */
export function ActionDialog(props: Props) {
  const unsaved = useUnsaved();
  return (
    <Modal
      opened
      onClose={() => {
        if (unsaved.mayDiscard()) props.onClose();
      }}
      title={props.title}
      size={props.size ?? 'md'}
      centered
    >
      <form
        {...unsaved.entering}
        onSubmit={(event) => {
          event.preventDefault();
          if (props.isComplete !== false && !props.isPending) props.onSubmit();
        }}
      >
        <Stack gap="md">
          {props.children}
          {props.error && <ItemErrors error={props.error} itemTitle={props.itemTitle} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={props.onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              {...SUBMIT_SHORTCUT}
              disabled={props.isComplete === false}
              loading={props.isPending}
            >
              {props.verb}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

interface OutdatedProps {
  readonly title: string;
  /** What was not done, and why. */
  readonly children: ReactNode;
  /** What is different. */
  readonly difference?: ReactNode;
  readonly onClose: () => void;
}

/** Says that a proposal is not any more what the user has seen. It can only be closed: the page shows the present one. */
export const OutdatedDialog = ({ title, children, difference, onClose }: OutdatedProps) => (
  <Modal opened onClose={onClose} title={title} size={difference === undefined ? 'md' : 'xl'} centered>
    <Stack gap="md">
      <Text size="sm">{children}</Text>
      {difference}
      <Group justify="flex-end">
        <Button data-autofocus onClick={onClose}>
          Look at the proposal again
        </Button>
      </Group>
    </Stack>
  </Modal>
);
