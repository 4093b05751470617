import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { MagicWandIcon } from '@radix-ui/react-icons';
import { useInfiniteQuery, useIsFetching, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { counted } from '../../components/counted';
import { lazyComponent } from '../../components/lazy-component';
import { ErrorState } from '../../components/states';
import { hasRun } from '../../api/audit-run';
import { type Audit, type AuditedPart, failuresQuery, type PastRun, runQuery } from '../../api/audits';
import { AuditedPartText } from './audited-part-text';
import { FailingDevices } from './failing-devices';
import { FailingLocations } from './failing-locations';
import { type FailureGroup, failureGroupsOf, groupId } from './failure-groups';
import { FailureGroupTable } from './failure-group-table';
import { LastRun, RunOrigin } from './last-run';
import { RemediateForm, RemediateOwnForm } from './lazy-forms';
import type { Remediation } from './remediation';
import { RunTrend } from './run-trend';
import { Running } from './running';
import { Verdict } from './verdict';

const NewerChanges = lazyComponent(
  () => import('../../components/newer-changes').then(({ NewerChanges: component }) => component),
  { failure: () => null },
);

interface Props {
  readonly audit: Audit;
  readonly pastRuns: readonly PastRun[];
  /** The part of the fleet whose failing devices are shown. */
  readonly part: AuditedPart;
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
export function AuditResult({ audit, pastRuns, part }: Props) {
  const queryClient = useQueryClient();
  const { queryKey } = runQuery(audit.id);
  // The page is rendered when a run begins.
  useIsFetching({ queryKey });
  const [last] = pastRuns;
  const isPart = Object.keys(part).length > 0;
  // An audit that was never run is run. A write forgets a run that is not shown.
  const isRun = !isPart && (last === undefined || hasRun(queryClient.getQueryState(queryKey)));
  const query = isRun
    ? runQuery(audit.id)
    : { ...failuresQuery(audit.id, part), enabled: isPart || (last?.failed ?? 0) > 0 };
  const run = useInfiniteQuery(query);
  const verdict = useRef<HTMLDivElement>(null);
  const [remediation, setRemediation] = useState<Remediation>();
  const [grouping, setGrouping] = useLocalStorage<Grouping>({
    key: 'muster.audit-grouping',
    defaultValue: 'source',
  });
  const pages = run.data?.pages ?? [];
  const [first] = pages;
  const failures = pages.flatMap(({ items }) => items);
  const groups = failureGroupsOf(failures);
  const [shownGroup, showGroup] = useState<string>();
  const onlyGroup =
    shownGroup === undefined ? undefined : groups.find((group) => groupId(group) === shownGroup);
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
        <div role="status" tabIndex={-1} ref={verdict}>
          {first ? <Verdict {...first} /> : last && !isPart && !isRun && <LastRun run={last} />}
        </div>
        {run.isFetching && !run.isFetchingNextPage && <Running />}
        {first && !isRun && !isPart && last && (
          <Text span size="sm" c="dimmed">
            now; the last run was <RunOrigin run={last} />
          </Text>
        )}
        {first && !run.isFetching && (
          <NewerChanges
            queryKeys={[query.queryKey]}
            onShow={() => {
              // Otherwise the focus would be lost with the button.
              verdict.current?.focus();
              void run.refetch();
            }}
          />
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
        <FailureGroupTable
          groups={groups}
          firstDevices={run.hasNextPage ? failures.length : undefined}
          shown={onlyGroup && shownGroup}
          onShow={showGroup}
          onRemediate={setRemediation}
        />
      )}
      {onlyGroup && shown === 'source' && (
        <Group gap="xs" role="status">
          <Text size="sm" fw={600}>
            {groupText(onlyGroup)}
          </Text>
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => {
              showGroup(undefined);
            }}
          >
            Show all
          </Button>
        </Group>
      )}
      {first ? (
        <FailingDevices
          devices={first.devices}
          failures={shown === 'source' && onlyGroup ? onlyGroup.devices : failures}
          run={run}
          onRemediate={setRemediation}
        />
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

/** Which devices are shown. */
function groupText(group: FailureGroup): string {
  const devices = counted(group.devices.length, 'device');
  return group.type === 'own'
    ? `${devices} with an own value of ${group.key}`
    : `${devices} with the ${group.key} of ${group.level.kind} ${group.level.name}`;
}
