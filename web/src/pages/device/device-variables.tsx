import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api, unwrap } from '../../api/client';
import type { DeviceCollection } from '../../components/resource-link';
import { EmptyState, ErrorState, LoadingState } from '../../components/states';
import { VariableOrigin } from '../../components/variable-origin';
import { VariableRow } from '../../components/variable-row';
import type { VariableOwner } from '../../components/variable-write';
import { VariablesTable } from '../../components/variables-table';

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
  const isEditable = at === undefined;
  return (
    <VariablesTable
      owner={owner}
      keys={Object.keys(data.variables)}
      filter={filter}
      onFilter={(key) => void navigate({ search: (former) => ({ ...former, key }), replace: true })}
      isEditable={isEditable}
      empty={
        <EmptyState title="No variables">
          Neither the device nor its region, cell and labels set any. Add one here, or on a broader level.
        </EmptyState>
      }
    >
      {(key) => {
        const explanation = data.variables[key];
        return (
          explanation && (
            <VariableRow
              key={key}
              owner={owner}
              name={key}
              explanation={explanation}
              origin={<VariableOrigin origin={explanation.source} />}
              isEditable={isEditable}
            />
          )
        );
      }}
    </VariablesTable>
  );
}
