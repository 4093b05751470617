import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useRef, useState } from 'react';
import { hasLevel, LevelMark, levelOf } from './level-mark';
import { lazyComponent } from './lazy-component';
import { usePreloadedPreview } from './previewed-write';
import { RightsHint } from './rights';
import { SUBMIT_SHORTCUT } from './submit-shortcut';
import { TextHint } from './text-hint';
import { useUnsaved, type Unsaved } from './unsaved';
import { VariableValue } from './variable-value';
import { editorText, jsonProblem, type VariableOwner } from './variable-write';
import classes from './value-editor.module.css';

/** Few values are new. */
const VariableTextHint = lazyComponent(
  () => import('./variable-text-hint').then(({ VariableTextHint: component }) => component),
  { failure: () => null },
);

interface Props {
  /** The resource that the value is set on. */
  readonly owner: VariableOwner;
  readonly label: string;
  /** The variable; undefined while it is not known. */
  readonly name: string | undefined;
  /** What is edited, until something is typed. */
  readonly value: unknown;
  /** Called with valid JSON text. */
  readonly onSave: (text: string) => void;
  readonly onCancel: () => void;
  /** What was entered in the form around it, if there is one. */
  readonly unsaved?: Unsaved;
}

/** Edits a value as JSON. Ctrl-Enter previews the change, Escape cancels. */
export function ValueEditor({ owner, label, name, value, onSave, onCancel, unsaved }: Props) {
  const current = value === undefined ? '' : editorText(value);
  // With the value that was there when typing began.
  const [typed, setTyped] = useState<{ readonly text: string; readonly base: string }>();
  const text = typed?.text ?? current;
  const field = useRef<HTMLTextAreaElement>(null);
  const [isChecked, setChecked] = useState(false);
  const problem = jsonProblem(text);
  const own = useUnsaved();
  const { entering, forget } = unsaved ?? own;
  const cancel = () => {
    forget();
    onCancel();
  };
  usePreloadedPreview();
  const type = (entered: string) => {
    setTyped({ base: current, ...typed, text: entered });
  };
  const save = () => {
    setChecked(true);
    if (problem === undefined) onSave(text.trim());
  };
  return (
    <Stack gap="xs" {...entering}>
      <RightsHint collection={owner.collection} keys={name === undefined ? [] : [name]} />
      <Textarea
        ref={field}
        aria-label={label}
        classNames={{ input: classes.input }}
        autosize
        minRows={1}
        maxRows={16}
        autoFocus={value !== undefined}
        spellCheck={false}
        value={text}
        error={isChecked ? problem : undefined}
        onChange={(event) => {
          type(event.currentTarget.value);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') cancel();
        }}
      />
      {value === undefined ? (
        <VariableTextHint variable={name ?? ''} text={text} onChange={type} field={field} />
      ) : (
        <TextHint text={text} former={value} onChange={type} field={field} />
      )}
      {typed && typed.base !== current && (
        <Text size="xs" component="div">
          Current value: <VariableValue value={value} />
        </Text>
      )}
      <Group gap="xs">
        <Button {...SUBMIT_SHORTCUT} onClick={save}>
          Preview…
        </Button>
        <Button variant="default" onClick={cancel}>
          Cancel
        </Button>
        <Text size="xs" c="dimmed" miw={0}>
          on{' '}
          {hasLevel(owner.kind) ? (
            <LevelMark level={levelOf(owner.kind)}>{owner.name}</LevelMark>
          ) : (
            owner.name
          )}
        </Text>
      </Group>
    </Stack>
  );
}
