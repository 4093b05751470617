import { useInViewport } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api, unwrap } from '../../api/client';
import { EmptyState, ErrorState, LoadingState } from '../../components/states';
import { ExplainedVariables } from '../../components/explained-variables';
import { PastVariableRow } from '../../components/past-variable-row';
import type { InventoryCollection } from '../../api/kinds';
import { VariableOrigin } from '../../components/variable-origin';
import { VariableRow } from '../../components/variable-row';
import type { VariableOwner } from '../../components/variable-write';
import { VariablesTable, type VariablesTableState } from '../../components/variables-table';
import { inventoryQuery } from './inventory-query';

const route = getRouteApi('/signed-in/inventory/$collection/$id');

interface Props {
  readonly owner: VariableOwner & { readonly collection: InventoryCollection };
  /** The own variables at the shown time. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly at: string | undefined;
}

/** The variables of a region, cell or label, edited in their rows. A cell also inherits from its region. */
export function InventoryVariables(props: Props) {
  return props.owner.kind === 'cell' ? <CellVariables {...props} /> : <OwnVariables {...props} />;
}

/** What every table of variables gets from the URL. */
function useTable(): VariablesTableState {
  const { key: filter = '', add = false } = route.useSearch();
  const navigate = route.useNavigate();
  return {
    filter,
    onFilter: (key) => void navigate({ search: (former) => ({ ...former, key }), replace: true }),
    isAdding: add,
    onAdd: (isAdding) =>
      void navigate({ search: (former) => ({ ...former, add: isAdding || undefined }), replace: true }),
  };
}

function CellVariables({ owner, at }: Props) {
  return (
    <ExplainedVariables
      {...useTable()}
      owner={owner}
      collection="cells"
      at={at}
      empty={
        <EmptyState title="No variables">
          Neither the cell nor its region sets any. The devices of the cell inherit what you add here.
        </EmptyState>
      }
    />
  );
}

function OwnVariables({ owner, variables, at }: Props) {
  const table = useTable();
  const { kind, collection, id, name } = owner;
  const { data, error, refetch } = useQuery(inventoryQuery(collection, id, undefined));
  if (error && !data) return <ErrorState error={error} what="the variables" onRetry={() => void refetch()} />;
  if (!data) return <LoadingState what="the variables" />;
  const current: Props['variables'] = 'variables' in data ? data.variables : {};
  const sideOf = (values: Props['variables'], key: string) =>
    key in values ? { value: values[key] } : undefined;
  return (
    <VariablesTable
      {...table}
      owner={owner}
      keys={Object.keys(at === undefined ? variables : { ...variables, ...current })}
      isEditable={at === undefined}
      empty={
        <EmptyState title="No variables">
          The {kind} sets none. Its devices inherit what you add here.
        </EmptyState>
      }
    >
      {(key) => {
        const then = sideOf(variables, key);
        const level = { kind, id, name, value: then?.value, shadowed: false };
        const origin = then && <LastChange owner={owner} name={key} at={at} />;
        if (at !== undefined)
          return (
            <PastVariableRow
              key={key}
              name={key}
              levels={[level]}
              origin={origin}
              then={then}
              now={sideOf(current, key)}
            />
          );
        return (
          <VariableRow
            key={key}
            owner={owner}
            name={key}
            explanation={{ value: level.value, source: level, levels: [level] }}
            origin={origin}
          />
        );
      }}
    </VariablesTable>
  );
}

interface LastChangeProps {
  readonly owner: VariableOwner;
  readonly name: string;
  readonly at: string | undefined;
}

/**
 * Who set a variable, when and why. The API explains variables of devices and cells only: here it is the last change of
 * the key, read when its row is visible. Users who may not see changes do not see it.
 */
function LastChange({ owner: { collection, id }, name, at }: LastChangeProps) {
  const { ref, inViewport } = useInViewport<HTMLDivElement>();
  const { data } = useQuery({
    queryKey: [collection, id, 'last-change', name, at ?? null],
    queryFn: async ({ signal }) => {
      const [change] = await unwrap(
        api.GET('/v1/changes', {
          params: {
            query: {
              resource: `${collection}/${id}`,
              key: name,
              limit: 1,
              sort_dir: 'desc',
              fields: ['id', 'created_at', 'actor', 'reason'],
              ...(at === undefined ? {} : { until: at }),
            },
          },
          signal,
        }),
      );
      return change ?? null;
    },
    enabled: inViewport,
    retry: false,
  });
  return (
    <div ref={ref}>
      {data?.created_at !== undefined && (
        <VariableOrigin
          origin={{
            set_by: data.actor?.username ?? null,
            set_at: data.created_at,
            reason: data.reason ?? null,
            change_id: data.id ?? null,
          }}
        />
      )}
    </div>
  );
}
