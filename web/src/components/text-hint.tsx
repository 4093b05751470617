import { Button, Text } from '@mantine/core';
import type { RefObject } from 'react';
import { isAmbiguousScalar, losesCharacters } from './typed-text';

interface Props {
  /** The JSON that is entered. */
  readonly text: string;
  /** The value that it replaces. */
  readonly former: unknown;
  readonly onChange: (text: string) => void;
  /** The field of the text, which gets the focus back. */
  readonly field: RefObject<HTMLTextAreaElement | null>;
}

/** Offers the text in place of a number or boolean that would replace a text: `"6.12"` for `6.12`, where `"6.8"` was. */
export function TextHint({ text, former, onChange, field }: Props) {
  if (typeof former !== 'string' || !(isAmbiguousScalar(text) || losesCharacters(text))) return null;
  const quoted = `"${text.trim()}"`;
  return (
    <Text size="sm" role="status">
      The current value is a text, and this is none.{' '}
      <Button
        variant="subtle"
        size="compact-sm"
        onClick={() => {
          onChange(quoted);
          field.current?.focus();
        }}
      >
        Write {quoted}
      </Button>
    </Text>
  );
}
