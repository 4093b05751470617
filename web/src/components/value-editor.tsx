import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { isScalar } from '../api/exact-json';
import { hasLevel, LevelMark, levelOf } from './level-mark';
import { lazyComponent } from './lazy-component';
import { usePreloadedPreview } from './previewed-write';
import { RightsHint } from './rights';
import { SUBMIT_SHORTCUT } from './submit-shortcut';
import { EnteredNote } from './entered-note';
import { TextHint } from './text-hint';
import { enteredValue } from './typed-text';
import { useUnsaved, type Unsaved } from './unsaved';
import { VariableValue } from './variable-value';
import { editorText, type VariableOwner } from './variable-write';
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

/** Edits a value, in which texts have quotes. Ctrl-Enter previews the change, Escape cancels. */
export function ValueEditor({ owner, label, name, value, onSave, onCancel, unsaved }: Props) {
  const current = value === undefined ? '' : editorText(value);
  // With the value that was there when typing began.
  const [typed, setTyped] = useState<{ readonly text: string; readonly base: string }>();
  const text = typed?.text ?? current;
  const field = useRef<HTMLTextAreaElement>(null);
  const [isChecked, setChecked] = useState(false);
  const entered = enteredValue(text, typed?.base ?? current);
  const json = 'json' in entered ? entered.json : '';
  const own = useUnsaved();
  const { entering, forget, mayDiscard } = unsaved ?? own;
  const cancel = () => {
    forget();
    onCancel();
  };
  usePreloadedPreview();
  const showCurrent = useEffectEvent(() => {
    if (typed === undefined && field.current) placeCaret(field.current, value);
  });
  // Also the value of another level, and one that is not what the page showed.
  useLayoutEffect(() => {
    showCurrent();
  }, [current]);
  const type = (next: string) => {
    setTyped({ base: current, ...typed, text: next });
  };
  const save = () => {
    setChecked(true);
    if ('json' in entered) onSave(entered.json);
  };
  return (
    <Stack gap="xs" {...entering}>
      <RightsHint collection={owner.collection} keys={name === undefined ? [] : [name]} />
      <div>
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
          error={isChecked && 'problem' in entered ? entered.problem : undefined}
          onChange={(event) => {
            type(event.currentTarget.value);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && mayDiscard()) onCancel();
          }}
        />
        {/* Always there, so that screen readers announce what it says later. */}
        <Text size="xs" component="div" role="status">
          {typed && typed.base !== current && (
            <>
              Current value: <VariableValue value={value} />
            </>
          )}
        </Text>
      </div>
      <EnteredNote entered={entered} />
      {value === undefined ? (
        <VariableTextHint variable={name ?? ''} text={json} onChange={type} field={field} />
      ) : (
        <TextHint text={json} former={value} onChange={type} field={field} />
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

/** What is typed first replaces a scalar, as in a spreadsheet, and follows a document or several lines. */
function placeCaret(field: HTMLTextAreaElement, value: unknown): void {
  const isReplaced = isScalar(value) && !(typeof value === 'string' && value.includes('\n'));
  field.setSelectionRange(isReplaced ? 0 : field.value.length, field.value.length);
  field.scrollTop = field.scrollHeight;
}
