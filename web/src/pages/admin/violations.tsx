import { Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import { RouteLink } from '../../components/resource-link';
import { SmallTable } from '../../components/small-table';
import { EmptyState } from '../../components/states';
import { useSmallList } from '../../components/use-small-list';
import { type Violation, VIOLATION_COLUMNS, violationKey } from '../../components/violation-columns';

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
