import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type Audit,
  type AuditedPart,
  type Failure,
  type ImpliedRemediation,
  MAX_FAILURES,
  manyFailuresQuery,
} from '../../api/audits';
import { collectionOfKind } from '../../api/kinds';
import { counted } from '../../components/counted';
import { FormDialog } from '../../components/form-dialog';
import { JsonField } from '../../components/json-field';
import { RightsHint } from '../../components/rights';
import { ErrorState, LoadingState } from '../../components/states';
import { editorText, jsonProblem } from '../../components/variable-write';
import { devicesWithOwnValue, planOwnRemediation } from './own-remediation';

interface Props {
  readonly audit: Audit;
  readonly part: AuditedPart;
  /** The variable that the devices set wrongly. */
  readonly failingKey: string;
  /** What the audit sets; undefined if it covers several variables. */
  readonly implied: ImpliedRemediation | undefined;
  readonly onClose: () => void;
}

/** Sets one value on all failing devices that set the variable themselves, in one change. */
export function RemediateOwnForm({ audit, part, failingKey, implied, onClose }: Props) {
  const { data, error, refetch } = useQuery(manyFailuresQuery(audit.id, part));
  const expected = implied?.key === failingKey && 'value' in implied ? implied : undefined;
  const [text, setText] = useState(expected ? editorText(expected.value) : '');
  const devices = data && devicesWithOwnValue(data.items, failingKey);
  const problem = jsonProblem(text);
  return (
    <FormDialog
      title={`Remediate own values of ${failingKey}`}
      plan={() => {
        if (!devices) return 'The devices are being read.';
        return problem === undefined
          ? planOwnRemediation(audit, devices, failingKey, text)
          : `Value: ${problem}`;
      }}
      isIncomplete={!devices || devices.length === 0 || problem !== undefined}
      onApplied={onClose}
      onClose={onClose}
    >
      {devices ? (
        <Text size="sm">
          Of{' '}
          {data.failed > data.items.length
            ? `the first ${counted(data.items.length, 'failing device')}`
            : counted(data.items.length, 'failing device')}
          , {devices.length.toLocaleString()} {devices.length === 1 ? 'sets' : 'set'}{' '}
          <code>{failingKey}</code> {devices.length === 1 ? 'itself' : 'themselves'}.
        </Text>
      ) : error ? (
        <ErrorState error={error} what="the devices" onRetry={() => void refetch()} />
      ) : (
        <LoadingState what="the devices" />
      )}
      {rightsOf(devices ?? []).map((collection) => (
        <RightsHint key={collection} collection={collection} keys={[failingKey]} />
      ))}
      <JsonField
        label="Value"
        description={
          expected ? 'JSON. The audit expects this value.' : 'JSON that meets the expectation of the audit.'
        }
        text={text}
        onChange={setText}
        error={text === '' ? undefined : problem}
      />
      {data && data.failed > data.items.length && (
        <Text size="sm" c="dimmed">
          At most {MAX_FAILURES.toLocaleString()} failing devices are read at once: remediate the others in
          another change.
        </Text>
      )}
    </FormDialog>
  );
}

const rightsOf = (devices: readonly Failure[]): readonly string[] => [
  ...new Set(devices.map(({ kind }) => collectionOfKind(kind))),
];
