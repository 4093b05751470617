import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { hasLevel, LevelMark, levelOf } from './level-mark';
import { usePreloadedPreview } from './previewed-write';
import { editorText, jsonProblem, type VariableOwner } from './variable-write';
import classes from './value-editor.module.css';

interface Props {
  /** The resource that the value is set on. */
  readonly owner: VariableOwner;
  readonly label: string;
  readonly value: unknown;
  /** Called with valid JSON text. */
  readonly onSave: (text: string) => void;
  readonly onCancel: () => void;
}

/** Edits a value as JSON. Ctrl-Enter previews the change, Escape cancels. */
export function ValueEditor({ owner, label, value, onSave, onCancel }: Props) {
  const [text, setText] = useState(() => (value === undefined ? '' : editorText(value)));
  const [isChecked, setChecked] = useState(false);
  const problem = jsonProblem(text);
  usePreloadedPreview();
  const save = () => {
    setChecked(true);
    if (problem === undefined) onSave(text.trim());
  };
  return (
    <Stack gap="xs">
      <Textarea
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
          setText(event.currentTarget.value);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onCancel();
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save();
        }}
      />
      <Group gap="xs">
        <Button onClick={save}>Preview…</Button>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Text size="xs" c="dimmed">
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
