import type { RefObject } from 'react';
import { JsonField } from '../../components/json-field';

interface Props {
  /** Whether the audit names the value. Otherwise it accepts several. */
  readonly isExpected: boolean;
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** What is wrong with the text. */
  readonly problem: string | undefined;
  readonly ref?: RefObject<HTMLTextAreaElement | null>;
}

/** The value that a remediation sets. */
export const RemediationValueField = ({ isExpected, text, onChange, problem, ref }: Props) => (
  <JsonField
    label="Value"
    description={
      isExpected ? 'JSON. The audit expects this value.' : 'JSON that meets the expectation of the audit.'
    }
    text={text}
    onChange={onChange}
    error={text === '' ? undefined : problem}
    {...(ref ? { ref } : {})}
  />
);
