import { Textarea } from '@mantine/core';
import type { RefObject } from 'react';
import { useFormField } from './form-problems';

interface Props {
  /** The member of the API that it is for. */
  readonly name?: string;
  /** Whether it gets the focus when the form is shown. */
  readonly isFirst?: boolean;
  readonly label: string;
  readonly description: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** What is wrong with the text, for forms that say it before they are sent. */
  readonly error?: string | undefined;
  readonly ref?: RefObject<HTMLTextAreaElement | null>;
}

/** JSON text in a form. The form checks it when it is sent. */
export function JsonField({
  name = '',
  isFirst = false,
  label,
  description,
  text,
  onChange,
  error,
  ref,
}: Props) {
  const field = useFormField(name, isFirst);
  return (
    <Textarea
      {...(ref ? { ref } : {})}
      {...field}
      label={label}
      description={description}
      autosize
      minRows={2}
      maxRows={16}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.75rem' } }}
      value={text}
      error={error ?? field.error}
      onChange={(event) => {
        onChange(event.currentTarget.value);
      }}
    />
  );
}
