import { getRouteApi } from '@tanstack/react-router';
import { ExplainedVariables } from '../../components/explained-variables';
import type { DeviceCollection } from '../../api/kinds';
import { EmptyState } from '../../components/states';
import type { VariableOwner } from '../../components/variable-write';

const route = getRouteApi('/signed-in/devices/$collection/$id');

interface Props {
  readonly owner: VariableOwner;
  readonly collection: DeviceCollection;
  readonly at: string | undefined;
}

/** The resolved variables of a device, each with the levels that set it. Own ones are edited in their row. */
export function DeviceVariables({ owner, collection, at }: Props) {
  const { key: filter = '', add = false } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <ExplainedVariables
      owner={owner}
      collection={collection}
      at={at}
      filter={filter}
      onFilter={(key) => void navigate({ search: (former) => ({ ...former, key }), replace: true })}
      isAdding={add}
      onAdd={(isAdding) =>
        void navigate({ search: (former) => ({ ...former, add: isAdding || undefined }), replace: true })
      }
      empty={
        <EmptyState title="No variables">
          Neither the device nor its region, cell and labels set any. Add one here, or on a broader level.
        </EmptyState>
      }
    />
  );
}
