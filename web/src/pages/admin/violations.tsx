import { Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { components } from '@muster/api-types';
import { api, unwrap } from '../../api/client';
import { LevelLink } from '../../components/level-link';
import { RouteLink } from '../../components/resource-link';
import { SmallTable, type SmallColumn } from '../../components/small-table';
import { EmptyState } from '../../components/states';
import { useSmallList } from '../../components/use-small-list';
import { VariableValue } from '../../components/variable-value';

export type Violation = components['schemas']['Violation'];

/** The values that are older than a definition, and violate it. */
export function Violations({ id }: { readonly id: number }) {
  const { data: definition } = useQuery({
    queryKey: ['variable-definitions', id, 'item'],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/v1/variable-definitions/{id}', { params: { path: { id } }, signal })),
  });
  const path = `/v1/variable-definitions/${id}/violations`;
  const list = useSmallList<Violation>(['variable-definitions', id, 'violations'], path);
  return (
    <Stack gap="xs">
      <RouteLink to="/admin" search={{ section: 'definitions' }} size="sm">
        All definitions
      </RouteLink>
      <Title order={2}>Violations of {definition?.key ?? '…'}</Title>
      <SmallTable
        label="violations"
        list={list}
        columns={VIOLATION_COLUMNS}
        keyOf={violationKey}
        empty={<EmptyState title="No violations">Every value satisfies the schema.</EmptyState>}
      />
    </Stack>
  );
}

/** Identifies a violation. */
export const violationKey = ({ kind, id, key, path }: Violation): string => `${kind}/${id}/${key}${path}`;

/** The columns of a table of violations. */
export const VIOLATION_COLUMNS: readonly SmallColumn<Violation>[] = [
  {
    header: 'Set on',
    render: ({ kind, id, name }) =>
      // Users have variables, too, and are no level.
      kind === 'user' ? `user ${name}` : <LevelLink kind={kind} id={id} name={name} />,
  },
  { header: 'Key', render: ({ key }) => <code>{key}</code> },
  { header: 'Value', render: ({ value }) => <VariableValue value={value} /> },
  {
    header: 'Problem',
    render: ({ path, message }) => (path === '' ? message : `${path}: ${message}`),
  },
];
