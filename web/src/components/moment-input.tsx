import { TextInput } from '@mantine/core';
import { dateOf } from './date-of';

/** A local time as the field wants it: `2026-11-20T14:37:06`. */
function fieldText(time: string): string {
  const date = dateOf(time);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** A date as a time in a URL: UTC, to the second. */
export const apiTime = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`;

interface Props {
  readonly label: string;
  /** As in the URL. */
  readonly value: string | undefined;
  readonly onChange: (time: string | undefined) => void;
  readonly autoFocus?: boolean;
  /** Whether a form without it is not sent: the browser says that it is missing. */
  readonly isRequired?: boolean;
}

/** A field for a point in time: local, to the second. */
export const MomentInput = ({ label, value, onChange, autoFocus = false, isRequired = false }: Props) => (
  <TextInput
    type="datetime-local"
    step={1}
    autoFocus={autoFocus}
    required={isRequired}
    label={label}
    value={value === undefined ? '' : fieldText(value)}
    onChange={(event) => {
      const text = event.currentTarget.value;
      onChange(text === '' ? undefined : apiTime(new Date(text)));
    }}
  />
);
