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
import { FailingLocations } from './failing-locations';
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

/** Where to remediate, and which variable: undefined, if the user has not said it. */
interface Remediation {
  readonly level: LevelChoice | undefined;
  readonly key: string | undefined;
}

/** How failing devices are grouped. */
const GROUPINGS = [
  { value: 'source', label: 'Where values are set' },
  { value: 'region', label: 'Region' },
  { value: 'cell', label: 'Cell' },
] as const;

type Grouping = (typeof GROUPINGS)[number]['value'];

/** The result of a run in this session: the devices that fail with the values that they resolve. Otherwise the last stored run. */
export function AuditResult({ audit, pastRuns, isRunWanted }: Props) {
  const [wasNeverRun] = useState(pastRuns.length === 0);
  const run = useInfiniteQuery({ ...runQuery(audit.id), enabled: isRunWanted || wasNeverRun });
  const [remediation, setRemediation] = useState<Remediation>();
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
  const hasGroup = {
    // Only a run of this session has the values.
    source: first !== undefined && first.failed > 0,
    region: last !== undefined && last.regions.length > 0,
    cell: last !== undefined && last.cells.length > 0,
  };
  const groupings = GROUPINGS.filter(({ value }) => hasGroup[value]);
  const shown = hasGroup[grouping] ? grouping : groupings[0]?.value;
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
              setRemediation({ level: undefined, key: undefined });
            }}
          >
            Remediate…
          </Button>
        )}
      </Group>
      <RunTrend runs={pastRuns} />
      {groupings.length > 1 && (
        <SegmentedControl
          aria-label="Group by"
          style={{ alignSelf: 'flex-start' }}
          data={groupings}
          value={shown ?? grouping}
          onChange={setGrouping}
        />
      )}
      {last && (shown === 'region' || shown === 'cell') && (
        <FailingLocations audit={audit} run={last} kind={shown} />
      )}
      {shown === 'source' && (
        <FailureSources
          failures={failures}
          isComplete={!run.hasNextPage}
          onRemediate={(level, key) => {
            setRemediation({ level, key });
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
          actions={({ kind, id, name, key }) => (
            <ActionIcon
              aria-label={`Remediate on ${name}`}
              title="Remediate on this device"
              onClick={() => {
                setRemediation({ level: { kind, id, name }, key });
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
          failingKey={remediation.key ?? failures[0]?.key}
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
