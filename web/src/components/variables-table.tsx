import { Button, Group, Stack, TextInput, VisuallyHidden } from '@mantine/core';
import { PlusIcon } from '@radix-ui/react-icons';
import { type ReactNode } from 'react';
import { lazyComponent, LoadFailure, preloading } from './lazy-component';
import { inNaturalOrder } from './natural-order';
import { useMissingRight } from './rights';
import { EmptyState } from './states';
import type { VariableOwner } from './variable-write';
import classes from './variables-table.module.css';

const NewVariableRow = lazyComponent(
  () => import('./new-variable-row').then(({ NewVariableRow: component }) => component),
  {
    isOpened: true,
    failure: () => (
      <tr>
        <td colSpan={4}>
          <LoadFailure />
        </td>
      </tr>
    ),
  },
);

/** What the URL of the page says about the table. */
export interface VariablesTableState {
  /** Shows the keys that contain it. */
  readonly filter: string;
  readonly onFilter: (filter: string | undefined) => void;
  /** Whether there is a row for a new variable. */
  readonly isAdding: boolean;
  readonly onAdd: (isAdding: boolean) => void;
}

interface Props extends VariablesTableState {
  readonly owner: VariableOwner;
  readonly keys: readonly string[];
  /** Otherwise, the past is shown. */
  readonly isEditable: boolean;
  /** The row of a key. */
  readonly children: (key: string) => ReactNode;
  /** Shown if there are no variables. */
  readonly empty: ReactNode;
}

/** The variables of a resource by key, with a filter, and a row for a new one. */
export function VariablesTable({
  owner,
  keys,
  filter,
  onFilter,
  isAdding,
  onAdd,
  isEditable,
  children,
  empty,
}: Props) {
  const missing = useMissingRight({ collection: owner.collection, keys: [] });
  const hasNewRow = isAdding && isEditable;
  const shown = keys
    .filter((key) => key.toLowerCase().includes(filter.toLowerCase()))
    .toSorted(inNaturalOrder);
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <TextInput
          aria-label="Filter variables by key"
          placeholder="Filter by key"
          value={filter}
          onChange={(event) => {
            const { value } = event.currentTarget;
            onFilter(value === '' ? undefined : value);
          }}
        />
        {isEditable && (
          <Button
            {...preloading(NewVariableRow)}
            variant="default"
            leftSection={<PlusIcon aria-hidden />}
            title={missing?.message}
            onClick={() => {
              onAdd(true);
            }}
          >
            {missing ? 'Propose a variable' : 'Add a variable'}
          </Button>
        )}
      </Group>
      {keys.length === 0 && !hasNewRow ? (
        empty
      ) : (
        <table className={classes.variables}>
          <thead>
            <tr>
              <th scope="col">Key</th>
              <th scope="col">Value and where it comes from</th>
              <th scope="col">Set by</th>
              <th scope="col" className={isEditable ? classes.actions : undefined}>
                {isEditable ? <VisuallyHidden>Actions</VisuallyHidden> : 'Since then'}
              </th>
            </tr>
          </thead>
          <tbody>
            {hasNewRow && (
              <NewVariableRow
                owner={owner}
                onClose={() => {
                  onAdd(false);
                }}
              />
            )}
            {shown.map(children)}
          </tbody>
        </table>
      )}
      {keys.length > 0 && shown.length === 0 && (
        <EmptyState title="No key matches">Change the filter above.</EmptyState>
      )}
    </Stack>
  );
}
