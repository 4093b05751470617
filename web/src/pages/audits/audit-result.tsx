import { ActionIcon, Button, Group, Stack } from '@mantine/core';
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
import { runQuery, type Audit } from './audit-query';
import { FailureSources } from './failure-sources';
import { RemediateForm } from './lazy-forms';
import { Running } from './running';
import { Verdict } from './verdict';

type Failure = components['schemas']['Failure'];

/** Runs an audit, and shows the devices that fail with the value that they resolve. */
export function AuditResult({ audit }: { readonly audit: Audit }) {
  const run = useInfiniteQuery(runQuery(audit.id));
  const [remediation, setRemediation] = useState<{ readonly level: LevelChoice | undefined }>();
  const pages = run.data?.pages ?? [];
  const [first] = pages;
  if (run.isPending) return <Running />;
  if (!first) return <ErrorState error={run.error} what="the result" onRetry={() => void run.refetch()} />;
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <div role="status">
          <Verdict {...first} />
        </div>
        {run.isRefetching && <Running />}
        {first.failed > 0 && (
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
      <FailureSources
        failures={pages.flatMap(({ items }) => items)}
        isComplete={!run.hasNextPage}
        onRemediate={(level) => {
          setRemediation({ level });
        }}
      />
      <SmallTable
        label="devices that fail"
        list={{
          rows: pages.flatMap(({ items }) => items),
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
  { header: 'Variable', render: ({ key, path = '' }) => <code>{`${key}${path}`}</code> },
  {
    header: 'Actual value',
    render: (failure) => ('value' in failure ? <VariableValue value={failure.value} /> : 'not set'),
  },
  {
    header: 'Set on',
    render: ({ source }) => (source ? <LevelLink {...source} /> : 'nothing'),
  },
  { header: 'Problem', render: ({ message }) => message },
];
