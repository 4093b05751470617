import type { RefObject } from 'react';
import { EnteredNote } from '../../components/entered-note';
import { JsonField } from '../../components/json-field';
import type { EnteredValue } from '../../components/typed-text';

interface Props {
  /** Whether the audit names the value. Otherwise it accepts several. */
  readonly isExpected: boolean;
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** What the text is read as. */
  readonly entered: EnteredValue;
  readonly ref?: RefObject<HTMLTextAreaElement | null>;
}

/** The value that a remediation sets. */
export const RemediationValueField = ({ isExpected, text, onChange, entered, ref }: Props) => (
  <>
    <JsonField
      label="Value"
      description={
        isExpected ? 'The audit expects this value.' : 'A value that meets the expectation of the audit.'
      }
      text={text}
      onChange={onChange}
      error={text !== '' && 'problem' in entered ? entered.problem : undefined}
      {...(ref ? { ref } : {})}
    />
    <EnteredNote entered={entered} />
  </>
);
