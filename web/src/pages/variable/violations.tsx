import { Text } from '@mantine/core';
import { SmallTable } from '../../components/small-table';
import { useSmallList } from '../../components/use-small-list';
import { type Violation, VIOLATION_COLUMNS, violationKey } from '../../components/violation-columns';

/** The values that violate a definition, because they are older than it. */
export function Violations({ id }: { readonly id: number }) {
  const path = `/v1/variable-definitions/${id}/violations`;
  const list = useSmallList<Violation>(['variable-definitions', id, 'violations'], path);
  return (
    <>
      {list.rows.length > 0 && (
        <Text size="sm" fw={600} pt="sm">
          Values that violate it:
        </Text>
      )}
      <SmallTable
        label="Violations"
        list={list}
        columns={VIOLATION_COLUMNS}
        keyOf={violationKey}
        empty={
          <Text size="sm" fw={600} pt="sm">
            All values are valid.
          </Text>
        }
      />
    </>
  );
}
