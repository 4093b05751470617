import { Textarea } from '@mantine/core';

interface Props {
  readonly label: string;
  readonly description: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** JSON text in a form. The form checks it when it is sent. */
export const JsonField = ({ label, description, text, onChange }: Props) => (
  <Textarea
    label={label}
    description={description}
    autosize
    minRows={2}
    maxRows={16}
    spellCheck={false}
    styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.75rem' } }}
    value={text}
    onChange={(event) => {
      onChange(event.currentTarget.value);
    }}
  />
);
