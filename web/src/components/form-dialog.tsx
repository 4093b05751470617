import { Button, Group, Modal, Stack } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import classes from './form-dialog.module.css';
import { Notice } from './notice';
import { PreviewedWrite, usePreloadedPreview, type PlannedWrite } from './previewed-write';
import { useUnsaved } from './unsaved';

interface Props {
  readonly title: string;
  /** The fields. Their values are the state of the caller. */
  readonly children: ReactNode;
  /** The write that the fields describe, or what is wrong with them. */
  readonly plan: () => PlannedWrite | string;
  /** Whether the fields say what is missing, so that the write cannot be previewed yet. */
  readonly isIncomplete?: boolean;
  /** Whether it never scrolls: the list of options of its field may then be longer than the dialog. */
  readonly isShort?: boolean;
  readonly onClose: () => void;
  /** Called after the write with the body of the response. */
  readonly onApplied: (body: unknown) => void;
}

/** A form in a dialog. Its write is previewed before it is done; closing the preview leads back to the form. */
export function FormDialog({
  title,
  children,
  plan,
  isIncomplete = false,
  isShort = false,
  onClose,
  onApplied,
}: Props) {
  const [write, setWrite] = useState<PlannedWrite>();
  const [problem, setProblem] = useState<string>();
  const unsaved = useUnsaved();
  usePreloadedPreview();
  const leave = () => {
    unsaved.forget();
    onClose();
  };
  if (write)
    return (
      <PreviewedWrite
        write={write}
        onClose={() => {
          setWrite(undefined);
        }}
        onApplied={(body) => {
          unsaved.forget();
          onApplied(body);
        }}
        onKeepTheirs={leave}
        onProposed={leave}
      />
    );
  return (
    <Modal
      opened
      onClose={() => {
        if (unsaved.mayDiscard()) onClose();
      }}
      title={title}
      size="lg"
      centered
      {...(isShort ? { classNames: { content: classes.short } } : {})}
    >
      <form
        {...unsaved.entering}
        onSubmit={(event) => {
          event.preventDefault();
          const planned = plan();
          if (typeof planned === 'string') setProblem(planned);
          else {
            setProblem(undefined);
            setWrite(planned);
          }
        }}
      >
        <Stack gap="sm">
          {children}
          {problem !== undefined && <Notice kind="error">{problem}</Notice>}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={leave}>
              Cancel
            </Button>
            <Button type="submit" disabled={isIncomplete}>
              Preview…
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
