import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, unwrap } from '../api/client';
import type { DeviceCollection } from '../api/kinds';
import { PastVariableRow } from './past-variable-row';
import { ErrorState, LoadingState } from './states';
import { VariableOrigin } from './variable-origin';
import { VariableRow } from './variable-row';
import type { VariableOwner } from './variable-write';
import { VariablesTable, type VariablesTableState } from './variables-table';

/** Resources whose variables the API explains: they inherit. */
type Collection = 'cells' | DeviceCollection;

interface Props extends VariablesTableState {
  readonly owner: VariableOwner;
  readonly collection: Collection;
  /** The shown moment; undefined for now. */
  readonly at: string | undefined;
  readonly empty: ReactNode;
}

/**
 * The resolved variables of a resource that inherits, each with the levels that set it. Now, they are edited in their rows;
 * in the past, each row shows what became of the variable since.
 */
export function ExplainedVariables({ owner, collection, at, ...table }: Props) {
  const then = useQuery(explanationsQuery(collection, owner.id, at));
  const now = useQuery(explanationsQuery(collection, owner.id, undefined));
  const error = then.error ?? now.error;
  if (error && !(then.data && now.data)) {
    const retry = () => void Promise.all([then.refetch(), now.refetch()]);
    return <ErrorState error={error} what="the variables" onRetry={retry} />;
  }
  if (!then.data || !now.data) return <LoadingState what="the variables" />;
  const shown = then.data.variables;
  const current = now.data.variables;
  return (
    <VariablesTable
      {...table}
      owner={owner}
      keys={Object.keys({ ...shown, ...current })}
      isEditable={at === undefined}
    >
      {(key) => {
        const explanation = shown[key];
        const origin = explanation && <VariableOrigin origin={explanation.source} />;
        if (at !== undefined)
          return (
            <PastVariableRow
              key={key}
              name={key}
              levels={explanation?.levels ?? []}
              origin={origin}
              then={explanation}
              now={current[key]}
            />
          );
        return (
          explanation && (
            <VariableRow key={key} owner={owner} name={key} explanation={explanation} origin={origin} />
          )
        );
      }}
    </VariablesTable>
  );
}

/** The variables with their levels, now or at a point in time. */
const explanationsQuery = (collection: Collection, id: number, at: string | undefined) =>
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
