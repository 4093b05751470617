import { TextInput, type TextInputProps } from '@mantine/core';
import { useFormField } from './form-problems';

interface Props extends Omit<TextInputProps, 'error'> {
  /** The member of the API that it is for. */
  readonly name: string;
  /** Whether it gets the focus when the form is opened. */
  readonly isFirst?: boolean;
}

/** A text of a `FormDialog`, with what is wrong with it. */
export const FormTextInput = ({ name, isFirst = false, ...props }: Props) => (
  <TextInput {...props} {...useFormField(name, isFirst)} />
);
