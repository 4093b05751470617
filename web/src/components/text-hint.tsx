import { Button, Text } from '@mantine/core';
import type { RefObject } from 'react';
import { isBooleanText, quotedText } from './typed-text';

interface Props {
  /** The JSON that is entered. */
  readonly text: string;
  /** The value that it replaces, or one like it. */
  readonly former: unknown;
  /** Why a text is expected. */
  readonly reason?: string;
  readonly onChange: (text: string) => void;
  /** The field of the text, which gets the focus back. */
  readonly field: RefObject<HTMLElement | null>;
}

/** Offers the text in place of a number or boolean that would replace a text: `"6.12"` for `6.12`, where `"6.8"` was. */
export function TextHint({ text, former, reason = 'The current value is a text', onChange, field }: Props) {
  const quoted = quotedText(text, former);
  if (quoted === undefined) return null;
  return (
    <Text size="sm" role="status">
      {reason}, but this is a {isBooleanText(text) ? 'boolean' : 'number'}.{' '}
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
