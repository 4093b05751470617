import { ActionIcon } from '@mantine/core';
import { MagicWandIcon } from '@radix-ui/react-icons';
import type { Failure } from '../../api/audits';
import { LevelLink } from '../../components/level-link';
import { LevelMark } from '../../components/level-mark';
import { ResourceLink } from '../../components/resource-link';
import { SmallTable, type SmallColumn } from '../../components/small-table';
import { EmptyState } from '../../components/states';
import { VariableValue } from '../../components/variable-value';
import type { Remediation } from './remediation';

interface Props {
  /** The number of audited devices. */
  readonly devices: number;
  readonly failures: readonly Failure[];
  readonly run: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => Promise<unknown>;
    readonly refetch: () => Promise<unknown>;
  };
  readonly onRemediate: (remediation: Remediation) => void;
}

/** The devices that fail, with the values that they resolve, and where these are set. */
export const FailingDevices = ({ devices, failures, run, onRemediate }: Props) => (
  <SmallTable
    label="devices that fail"
    list={{
      rows: failures,
      isPending: false,
      error: null,
      retry: () => void run.refetch(),
      onMore: run.hasNextPage ? () => void run.fetchNextPage() : undefined,
      isLoadingMore: run.isFetchingNextPage,
    }}
    columns={COLUMNS}
    keyOf={({ kind, id }) => `${kind}/${id}`}
    actions={({ kind, id, name, key }) => (
      <ActionIcon
        aria-label={`Remediate on ${name}`}
        title="Remediate on this device"
        onClick={() => {
          onRemediate({ kind: 'level', level: { kind, id, name }, key });
        }}
      >
        <MagicWandIcon aria-hidden />
      </ActionIcon>
    )}
    empty={
      devices === 0 ? (
        <EmptyState title="No devices are audited">Change the filters of the audit.</EmptyState>
      ) : (
        <EmptyState title="No device fails">Every audited device meets the expectation.</EmptyState>
      )
    }
  />
);

const COLUMNS: readonly SmallColumn<Failure>[] = [
  {
    header: 'Device',
    render: ({ kind, id, name }) => (
      <LevelMark level="device">
        <ResourceLink kind={kind} id={id} name={name} />
      </LevelMark>
    ),
  },
  {
    header: 'Variable',
    render: ({ key, path = '' }) => (
      <>
        <ResourceLink kind="variable-key" id={null} name={key} />
        <code>{path}</code>
      </>
    ),
  },
  {
    header: 'Actual value',
    render: (failure) =>
      'value' in failure ? <VariableValue value={failure.value} name={failure.key} /> : 'not set',
  },
  {
    header: 'Set on',
    render: ({ source }) => (source ? <LevelLink {...source} /> : 'nothing'),
  },
  { header: 'Problem', render: ({ message }) => message },
];
