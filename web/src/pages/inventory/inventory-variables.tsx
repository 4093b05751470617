import { useInViewport } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api, unwrap } from '../../api/client';
import { EmptyState, ErrorState, LoadingState } from '../../components/states';
import { VariableOrigin } from '../../components/variable-origin';
import { VariableRow } from '../../components/variable-row';
import type { VariableOwner } from '../../components/variable-write';
import { VariablesTable } from '../../components/variables-table';

const route = getRouteApi('/signed-in/inventory/$collection/$id');

interface Props {
  readonly owner: VariableOwner;
  /** The own variables. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly at: string | undefined;
}

/** The variables of a region, cell or label, edited in their rows. A cell also inherits from its region. */
export function InventoryVariables(props: Props) {
  return props.owner.kind === 'cell' ? <CellVariables {...props} /> : <OwnVariables {...props} />;
}

/** What every table of variables gets from the URL. */
function useTable(at: string | undefined) {
  const { key: filter = '' } = route.useSearch();
  const navigate = route.useNavigate();
  return {
    filter,
    onFilter: (key: string | undefined) =>
      void navigate({ search: (former) => ({ ...former, key }), replace: true }),
    isEditable: at === undefined,
  };
}

function CellVariables({ owner, at }: Props) {
  const table = useTable(at);
  const { data, error, refetch } = useQuery({
    queryKey: ['cells', owner.id, 'explain', at ?? null],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/v1/cells/{id}/variables/explain', {
          params: { path: { id: owner.id }, query: at === undefined ? {} : { at } },
          signal,
        }),
      ),
  });
  if (error && !data) return <ErrorState error={error} what="the variables" onRetry={() => void refetch()} />;
  if (!data) return <LoadingState what="the variables" />;
  return (
    <VariablesTable
      {...table}
      owner={owner}
      keys={Object.keys(data.variables)}
      empty={
        <EmptyState title="No variables">
          Neither the cell nor its region sets any. The devices of the cell inherit what you add here.
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
              isEditable={table.isEditable}
            />
          )
        );
      }}
    </VariablesTable>
  );
}

function OwnVariables({ owner, variables, at }: Props) {
  const table = useTable(at);
  const { kind, id, name } = owner;
  return (
    <VariablesTable
      {...table}
      owner={owner}
      keys={Object.keys(variables)}
      empty={
        <EmptyState title="No variables">
          The {kind} sets none. Its devices inherit what you add here.
        </EmptyState>
      }
    >
      {(key) => {
        const level = { kind, id, name, value: variables[key], shadowed: false };
        return (
          <VariableRow
            key={key}
            owner={owner}
            name={key}
            explanation={{ value: level.value, source: level, levels: [level] }}
            origin={<LastChange owner={owner} name={key} at={at} />}
            isEditable={table.isEditable}
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
          }}
        />
      )}
    </div>
  );
}
