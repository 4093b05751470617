import type { RefObject } from 'react';
import { TextHint } from './text-hint';
import { useExpectsText } from './expects-text';
import { quotedText } from './typed-text';

interface Props {
  /** The variable that gets the value, where it replaces none. */
  readonly variable: string;
  /** The JSON that is entered. */
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** The field of the text. */
  readonly field: RefObject<HTMLElement | null>;
}

/** Offers the text in place of a number or boolean, where devices have texts in the variable, or its definition demands one. */
export function VariableTextHint({ variable, ...hint }: Props) {
  const reason = useExpectsText(variable, quotedText(hint.text, '') !== undefined);
  return reason === undefined ? null : <TextHint {...hint} former="" reason={reason} />;
}
