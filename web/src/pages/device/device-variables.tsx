import { Button, Group, Stack, TextInput, VisuallyHidden } from '@mantine/core';
import { PlusIcon } from '@radix-ui/react-icons';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api, unwrap } from '../../api/client';
import type { DeviceCollection } from '../../components/resource-link';
import { EmptyState, ErrorState, LoadingState } from '../../components/states';
import type { VariableOwner } from '../../components/variable-write';
import { NewVariableRow } from './new-variable-row';
import { PastVariableRow } from './past-variable-row';
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
  const { data, error, refetch } = useQuery(explanationsQuery(collection, owner.id, at));
  // What became of the past since.
  const present = useQuery({
    ...explanationsQuery(collection, owner.id, undefined),
    enabled: at !== undefined,
  });
  const isEditable = at === undefined;
  const now = isEditable ? data : present.data;
  const failure = error ?? present.error;
  if (failure && !(data && now)) {
    const retry = () => void Promise.all([refetch(), present.refetch()]);
    return <ErrorState error={failure} what="the variables" onRetry={retry} />;
  }
  if (!data || !now) return <LoadingState what="the variables" />;
  const all = Object.keys({ ...data.variables, ...now.variables });
  const shown = all.filter((key) => key.toLowerCase().includes(filter.toLowerCase())).toSorted();
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
              <th scope="col">{isEditable ? <VisuallyHidden>Actions</VisuallyHidden> : 'Since then'}</th>
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
            {shown.map((key) => {
              const explanation = data.variables[key];
              if (!isEditable)
                return <PastVariableRow key={key} name={key} then={explanation} now={now.variables[key]} />;
              return (
                explanation && <VariableRow key={key} owner={owner} name={key} explanation={explanation} />
              );
            })}
          </tbody>
        </table>
      )}
      {all.length > 0 && shown.length === 0 && (
        <EmptyState title="No key matches">Change the filter above.</EmptyState>
      )}
    </Stack>
  );
}

/** The variables with their levels, now or at a point in time. */
const explanationsQuery = (collection: DeviceCollection, id: number, at: string | undefined) =>
  queryOptions({
    queryKey: [collection, id, 'explain', at ?? null],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET(`/v1/${collection}/{id}/variables/explain`, {
          params: { path: { id }, query: at === undefined ? {} : { at } },
          signal,
        }),
      ),
  });
