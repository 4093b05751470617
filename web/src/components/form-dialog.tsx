import { Button, Group, Modal, Stack } from '@mantine/core';
import { useRef, useState, type ReactNode } from 'react';
import classes from './form-dialog.module.css';
import { FormProblems, isOfField, type FieldProblem } from './form-problems';
import { Notice } from './notice';
import { PreviewedWrite, usePreloadedPreview, type PlannedWrite } from './previewed-write';
import { SUBMIT_SHORTCUT } from './submit-shortcut';
import { useUnsaved } from './unsaved';

interface Props {
  readonly title: string;
  /** The fields. Their values are the state of the caller. */
  readonly children: ReactNode;
  /** The write that the fields describe, or what is wrong with them, or with one of them. */
  readonly plan: () => PlannedWrite | string | FieldProblem;
  /** Whether the fields say what is missing, so that the write cannot be previewed yet. */
  readonly isIncomplete?: boolean;
  /** Whether it never scrolls: the list of options of its field may then be longer than the dialog. */
  readonly isShort?: boolean;
  readonly onClose: () => void;
  /** Called after the write with the body of the response. */
  readonly onApplied: (body: unknown) => void;
}

const NO_PROBLEMS: readonly FieldProblem[] = [];

/** The names of the fields of a form. */
const namesIn = (form: HTMLFormElement): readonly string[] =>
  [...form.elements].flatMap((element) => element.getAttribute('name') ?? []);

const fieldOf = (form: HTMLFormElement, problem: FieldProblem): HTMLElement | undefined =>
  [...form.elements]
    .filter((element) => element instanceof HTMLElement)
    .find((element) => isOfField(element.getAttribute('name') ?? '', problem));

/**
 * A form in a dialog. Its write is previewed before it is done; closing the preview leads back to the form, and to the first field
 * that the service has rejected.
 */
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
  const [fieldProblems, setFieldProblems] = useState(NO_PROBLEMS);
  const names = useRef<readonly string[]>([]);
  const hasField = (one: FieldProblem) => names.current.some((name) => isOfField(name, one));
  const unsaved = useUnsaved('create', 'define');
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
        onDetails={(details) => {
          setFieldProblems(details.filter(hasField));
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
        onChange={() => {
          setFieldProblems(NO_PROBLEMS);
        }}
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          names.current = namesIn(form);
          const planned = plan();
          setProblem(undefined);
          setFieldProblems(NO_PROBLEMS);
          if (typeof planned === 'string') setProblem(planned);
          else if ('field' in planned) {
            setFieldProblems([planned]);
            fieldOf(form, planned)?.focus();
          } else setWrite(planned);
        }}
      >
        <Stack gap="sm">
          <FormProblems value={fieldProblems}>{children}</FormProblems>
          {problem !== undefined && <Notice kind="error">{problem}</Notice>}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={leave}>
              Cancel
            </Button>
            <Button type="submit" {...SUBMIT_SHORTCUT} disabled={isIncomplete}>
              Preview…
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
