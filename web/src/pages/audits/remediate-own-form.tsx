import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Audit, AuditedPart, Failure, ImpliedRemediation } from '../../api/audits';
import { collectionOfKind } from '../../api/kinds';
import { counted } from '../../components/counted';
import { FormDialog } from '../../components/form-dialog';
import { RightsHint } from '../../components/rights';
import { ErrorState, LoadingState } from '../../components/states';
import { VariableTextHint } from '../../components/variable-text-hint';
import { enteredValue } from '../../components/typed-text';
import { editorText } from '../../components/variable-write';
import { planOwnRemediation } from './own-remediation';
import { ownValuesQuery } from './own-values-query';
import { RemediationValueField } from './remediation-value-field';

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
  const { data, error, refetch } = useQuery(ownValuesQuery(audit.id, part, failingKey));
  const expected = implied?.key === failingKey && 'value' in implied ? implied : undefined;
  const [typed, setTyped] = useState<string>();
  const untouched = expected ? editorText(expected.value) : '';
  const text = typed ?? untouched;
  const field = useRef<HTMLTextAreaElement>(null);
  const entered = enteredValue(text, untouched);
  return (
    <FormDialog
      title={`Remediate own values of ${failingKey}`}
      plan={() => {
        if (!data) return 'The devices are being read.';
        return 'json' in entered
          ? planOwnRemediation(audit, data.devices, failingKey, entered.json)
          : `Value: ${entered.problem}`;
      }}
      isIncomplete={!data || data.devices.length === 0 || 'problem' in entered}
      onApplied={onClose}
      onClose={onClose}
    >
      {data ? (
        <Text size="sm">
          Of{' '}
          {data.hasMore
            ? `the first ${counted(data.read, 'failing device')}`
            : counted(data.read, 'failing device')}
          , {data.devices.length.toLocaleString()} {data.devices.length === 1 ? 'sets' : 'set'}{' '}
          <code>{failingKey}</code> {data.devices.length === 1 ? 'itself' : 'themselves'}.
        </Text>
      ) : error ? (
        <ErrorState error={error} what="the devices" onRetry={() => void refetch()} />
      ) : (
        <LoadingState what="the devices" />
      )}
      {rightsOf(data?.devices ?? []).map((collection) => (
        <RightsHint key={collection} collection={collection} keys={[failingKey]} />
      ))}
      <RemediationValueField
        isExpected={expected !== undefined}
        text={text}
        onChange={setTyped}
        entered={entered}
        ref={field}
      />
      {/* What the audit expects is right as it is. */}
      {typed !== undefined && 'json' in entered && (
        <VariableTextHint variable={failingKey} text={entered.json} onChange={setTyped} field={field} />
      )}
      {data?.hasMore && (
        <Text size="sm" c="dimmed">
          {data.devices.length > 0
            ? 'More devices fail: remediate them in another change.'
            : 'More devices fail. To find those that set it themselves, remediate the values of regions, cells and labels first, or look at one region or cell: a number below “Region” or “Cell” leads to its devices.'}
        </Text>
      )}
    </FormDialog>
  );
}

const rightsOf = (devices: readonly Failure[]): readonly string[] => [
  ...new Set(devices.map(({ kind }) => collectionOfKind(kind))),
];
