import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { MagicWandIcon } from '@radix-ui/react-icons';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorState } from '../../components/states';
import { type Audit, type AuditedPart, failuresQuery, type PastRun, runQuery } from '../../api/audits';
import { AuditedPartText } from './audited-part-text';
import { FailingDevices } from './failing-devices';
import { FailingLocations } from './failing-locations';
import { FailureSources } from './failure-sources';
import { LastRun, RunOrigin } from './last-run';
import { RemediateForm, RemediateOwnForm } from './lazy-forms';
import type { Remediation } from './remediation';
import { RunTrend } from './run-trend';
import { Running } from './running';
import { Verdict } from './verdict';

interface Props {
  readonly audit: Audit;
  readonly pastRuns: readonly PastRun[];
  /** The part of the fleet whose failing devices are shown. */
  readonly part: AuditedPart;
  /** Whether the user wants a run. An audit that was never run is run anyway. */
  readonly isRunWanted: boolean;
}

/** How failing devices are grouped. */
const GROUPINGS = [
  { value: 'source', label: 'Where values are set' },
  { value: 'region', label: 'Region' },
  { value: 'cell', label: 'Cell' },
] as const;

type Grouping = (typeof GROUPINGS)[number]['value'];

/**
 * The last stored run, and the devices that fail now with the values that they resolve: those of a run in this session, or of one
 * that is not stored, if devices failed in the last run.
 */
export function AuditResult({ audit, pastRuns, part, isRunWanted }: Props) {
  const queryClient = useQueryClient();
  const [wasRunHere] = useState(
    () => pastRuns.length === 0 || queryClient.getQueryData(runQuery(audit.id).queryKey) !== undefined,
  );
  const [last] = pastRuns;
  const isPart = Object.keys(part).length > 0;
  const isRun = !isPart && (isRunWanted || wasRunHere);
  const run = useInfiniteQuery(
    isRun
      ? runQuery(audit.id)
      : { ...failuresQuery(audit.id, part), enabled: isPart || (last?.failed ?? 0) > 0 },
  );
  const [remediation, setRemediation] = useState<Remediation>();
  const [grouping, setGrouping] = useLocalStorage<Grouping>({
    key: 'muster.audit-grouping',
    defaultValue: 'source',
  });
  const pages = run.data?.pages ?? [];
  const [first] = pages;
  const failures = pages.flatMap(({ items }) => items);
  const hasGroup = {
    source: failures.length > 0,
    // Stored runs are those of all devices.
    region: !isPart && last !== undefined && last.regions.length > 0,
    cell: !isPart && last !== undefined && last.cells.length > 0,
  };
  const groupings = GROUPINGS.filter(({ value }) => hasGroup[value]);
  const shown = hasGroup[grouping] ? grouping : groupings[0]?.value;
  const close = () => {
    setRemediation(undefined);
  };
  return (
    <Stack gap="sm">
      {isPart && <AuditedPartText part={part} />}
      <Group gap="sm">
        <div role="status">
          {first ? <Verdict {...first} /> : last && !isPart && !isRun && <LastRun run={last} />}
        </div>
        {run.isFetching && !run.isFetchingNextPage && <Running />}
        {first && !isRun && !isPart && last && (
          <Text span size="sm" c="dimmed">
            now; the last run was <RunOrigin run={last} />
          </Text>
        )}
        {first && first.failed > 0 && (
          <Button
            variant="default"
            leftSection={<MagicWandIcon aria-hidden />}
            onClick={() => {
              setRemediation({ kind: 'level', level: undefined, key: undefined });
            }}
          >
            Remediate…
          </Button>
        )}
      </Group>
      {!isPart && <RunTrend runs={pastRuns} />}
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
        <FailureSources failures={failures} isComplete={!run.hasNextPage} onRemediate={setRemediation} />
      )}
      {first ? (
        <FailingDevices devices={first.devices} failures={failures} run={run} onRemediate={setRemediation} />
      ) : run.error ? (
        <ErrorState error={run.error} what="the result" onRetry={() => void run.refetch()} />
      ) : (
        !run.isFetching && <Text size="sm">Run it again to see whether devices fail now.</Text>
      )}
      {remediation?.kind === 'level' && (
        <RemediateForm
          audit={audit}
          initial={remediation.level}
          failingKey={remediation.key ?? failures[0]?.key}
          implied={first?.remediation ?? undefined}
          onClose={close}
        />
      )}
      {remediation?.kind === 'own' && (
        <RemediateOwnForm
          {...{ audit, part }}
          failingKey={remediation.key}
          implied={first?.remediation ?? undefined}
          onClose={close}
        />
      )}
    </Stack>
  );
}
