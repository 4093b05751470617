import { ActionIcon, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { MagicWandIcon } from '@radix-ui/react-icons';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { components } from '@muster/api-types';
import { LevelMark } from '../../components/level-mark';
import type { LevelChoice } from '../../components/level-picker';
import { LevelLink } from '../../components/level-link';
import { ResourceLink } from '../../components/resource-link';
import { SmallTable, type SmallColumn } from '../../components/small-table';
import { EmptyState, ErrorState } from '../../components/states';
import { VariableValue } from '../../components/variable-value';
import { runQuery, type Audit, type PastRun } from '../../api/audits';
import { FailingRegions } from './failing-regions';
import { FailureSources } from './failure-sources';
import { LastRun } from './last-run';
import { RemediateForm } from './lazy-forms';
import { RunTrend } from './run-trend';
import { Running } from './running';
import { Verdict } from './verdict';

type Failure = components['schemas']['Failure'];

interface Props {
  readonly audit: Audit;
  readonly pastRuns: readonly PastRun[];
  /** Whether the user wants a run. An audit that was never run is run anyway. */
  readonly isRunWanted: boolean;
}

/** How failing devices are grouped. */
const GROUPINGS = [
  { value: 'source', label: 'Where values are set' },
  { value: 'region', label: 'Region' },
] as const;

type Grouping = (typeof GROUPINGS)[number]['value'];

/** The result of a run in this session: the devices that fail with the values that they resolve. Otherwise the last stored run. */
export function AuditResult({ audit, pastRuns, isRunWanted }: Props) {
  const [wasNeverRun] = useState(pastRuns.length === 0);
  const run = useInfiniteQuery({ ...runQuery(audit.id), enabled: isRunWanted || wasNeverRun });
  const [remediation, setRemediation] = useState<{ readonly level: LevelChoice | undefined }>();
  const [grouping, setGrouping] = useLocalStorage<Grouping>({
    key: 'muster.audit-grouping',
    defaultValue: 'source',
  });
  const pages = run.data?.pages ?? [];
  const [first] = pages;
  const [last] = pastRuns;
  if (run.isLoading) return <Running />;
  if (!first && run.error)
    return <ErrorState error={run.error} what="the result" onRetry={() => void run.refetch()} />;
  const failures = pages.flatMap(({ items }) => items);
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <div role="status">{first ? <Verdict {...first} /> : last && <LastRun run={last} />}</div>
        {run.isRefetching && <Running />}
        {first && first.failed > 0 && (
          <Button
            variant="default"
            leftSection={<MagicWandIcon aria-hidden />}
            onClick={() => {
              setRemediation({ level: undefined });
            }}
          >
            Remediate…
          </Button>
        )}
      </Group>
      <RunTrend runs={pastRuns} />
      {first && first.failed > 0 && (
        <SegmentedControl
          aria-label="Group by"
          style={{ alignSelf: 'flex-start' }}
          data={[...GROUPINGS]}
          value={grouping}
          onChange={setGrouping}
        />
      )}
      {last && last.regions.length > 0 && (!first || grouping === 'region') && (
        <FailingRegions audit={audit} run={last} />
      )}
      {first && grouping !== 'region' && (
        <FailureSources
          failures={failures}
          isComplete={!run.hasNextPage}
          onRemediate={(level) => {
            setRemediation({ level });
          }}
        />
      )}
      {first ? (
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
          actions={({ kind, id, name }) => (
            <ActionIcon
              aria-label={`Remediate on ${name}`}
              title="Remediate on this device"
              onClick={() => {
                setRemediation({ level: { kind, id, name } });
              }}
            >
              <MagicWandIcon aria-hidden />
            </ActionIcon>
          )}
          empty={
            first.devices === 0 ? (
              <EmptyState title="No devices are audited">Change the filters of the audit.</EmptyState>
            ) : (
              <EmptyState title="No device fails">Every audited device meets the expectation.</EmptyState>
            )
          }
        />
      ) : (
        <Text size="sm">Run it again to see which devices fail, and to remediate them.</Text>
      )}
      {remediation && (
        <RemediateForm
          audit={audit}
          initial={remediation.level}
          onClose={() => {
            setRemediation(undefined);
          }}
        />
      )}
    </Stack>
  );
}

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
