import { useState } from 'react';
import { jsonText } from '../../api/exact-json';
import { collectionOfKind } from '../../api/kinds';
import { FormDialog } from '../../components/form-dialog';
import { JsonField } from '../../components/json-field';
import { LevelPicker, type LevelChoice } from '../../components/level-picker';
import { RightsHint } from '../../components/rights';
import { editorText, jsonProblem } from '../../components/variable-write';
import type { Audit } from '../../api/audits';

interface Props {
  readonly audit: Audit;
  /** The level that is chosen first. */
  readonly initial: LevelChoice | undefined;
  readonly onClose: () => void;
}

/** Sets the expected value on a level. The preview shows which devices then resolve another value. */
export function RemediateForm({ audit, initial, onClose }: Props) {
  const { expectation } = audit;
  const [level, setLevel] = useState(initial);
  const [text, setText] = useState('value' in expectation ? editorText(expectation.value) : '');
  const plan = () => {
    if (!level) return 'Choose the level.';
    const problem = text.trim() === '' ? undefined : jsonProblem(text);
    if (problem !== undefined) return `Value: ${problem}`;
    const reference = jsonText({ kind: level.kind, id: level.id });
    // Not `JSON.stringify` of the parsed value: the text has every digit.
    const value = text.trim() === '' ? '' : `, "value": ${text.trim()}`;
    return {
      title: `Remediate ${audit.name} on ${level.name}`,
      request: {
        method: 'POST' as const,
        path: `/v1/audits/${audit.id}/remediate`,
        body: `{"level": ${reference}${value}}`,
      },
    };
  };
  return (
    <FormDialog title={`Remediate ${audit.name}`} plan={plan} onApplied={onClose} onClose={onClose}>
      <LevelPicker level={level} onChange={setLevel} />
      {/* The service finds the key of a filter. */}
      {level && (
        <RightsHint
          collection={collectionOfKind(level.kind)}
          keys={expectation.key === undefined ? [] : [expectation.key]}
        />
      )}
      <JsonField
        label="Value"
        description="JSON. Empty: the value that the expectation implies."
        text={text}
        onChange={setText}
      />
    </FormDialog>
  );
}
