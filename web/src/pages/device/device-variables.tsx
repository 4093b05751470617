import { Button, Group, Stack, TextInput, VisuallyHidden } from '@mantine/core';
import { PlusIcon } from '@radix-ui/react-icons';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api, unwrap } from '../../api/client';
import type { DeviceCollection } from '../../components/resource-link';
import { EmptyState, ErrorState, LoadingState } from '../../components/states';
import type { VariableOwner } from '../../components/variable-write';
import { NewVariableRow } from './new-variable-row';
import { VariableRow } from './variable-row';
import classes from './device-page.module.css';

const route = getRouteApi('/signed-in/devices/$collection/$id');

interface Props {
  readonly owner: VariableOwner;
  readonly collection: DeviceCollection;
  readonly at: string | undefined;
}

/** The resolved variables of a device, each with the levels that set it. Own ones are edited in their row. */
export function DeviceVariables({ owner, collection, at }: Props) {
  const { key: filter = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const [isAdding, setAdding] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: [collection, owner.id, 'explain', at ?? null],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET(`/v1/${collection}/{id}/variables/explain`, {
          params: { path: { id: owner.id }, query: at === undefined ? {} : { at } },
          signal,
        }),
      ),
  });
  if (error && !data) return <ErrorState error={error} what="the variables" onRetry={() => void refetch()} />;
  if (!data) return <LoadingState what="the variables" />;
  const all = Object.entries(data.variables);
  const shown = all
    .filter(([key]) => key.toLowerCase().includes(filter.toLowerCase()))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const isEditable = at === undefined;
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <TextInput
          aria-label="Filter variables by key"
          placeholder="Filter by key"
          value={filter}
          onChange={(event) => {
            const { value } = event.currentTarget;
            void navigate({
              search: (former) => ({ ...former, key: value === '' ? undefined : value }),
              replace: true,
            });
          }}
        />
        {isEditable && (
          <Button
            variant="default"
            leftSection={<PlusIcon aria-hidden />}
            onClick={() => {
              setAdding(true);
            }}
          >
            Add a variable
          </Button>
        )}
      </Group>
      {all.length === 0 && !isAdding ? (
        <EmptyState title="No variables">
          Neither the device nor its region, cell and labels set any. Add one here, or on a broader level.
        </EmptyState>
      ) : (
        <table className={classes.variables}>
          <thead>
            <tr>
              <th scope="col">Key</th>
              <th scope="col">Value and where it comes from</th>
              <th scope="col">Set by</th>
              {isEditable && (
                <th scope="col">
                  <VisuallyHidden>Actions</VisuallyHidden>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {isAdding && (
              <NewVariableRow
                owner={owner}
                onClose={() => {
                  setAdding(false);
                }}
              />
            )}
            {shown.map(([key, explanation]) => (
              <VariableRow
                key={key}
                owner={owner}
                name={key}
                explanation={explanation}
                isEditable={isEditable}
              />
            ))}
          </tbody>
        </table>
      )}
      {all.length > 0 && shown.length === 0 && (
        <EmptyState title="No key matches">Change the filter above.</EmptyState>
      )}
    </Stack>
  );
}
