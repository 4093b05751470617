import { deviceKinds } from '@muster/api-types';
import { defaultKind } from '../../api/kinds';
import { useProjectId } from '../../app/use-project';
import { lazyComponent } from '../../components/lazy-component';
import { filtersOf } from '../../components/list-search';
import { EmptyState } from '../../components/states';
import type { VariableSearch } from './variable-search';

const OtherTypeHint = lazyComponent(
  () => import('../../components/other-type-hint').then(({ OtherTypeHint: component }) => component),
  // The text is there without it.
  { failure: () => null },
);

/** Shown if no device that matches the filters has the variable. */
export function NoDevice({ search }: { readonly search: VariableSearch }) {
  const project_id = useProjectId();
  const kind = deviceKinds.find(({ collection }) => collection === search.collection) ?? defaultKind;
  return (
    <EmptyState title="No device has it">
      Remove a filter, or look among the other kinds.
      <OtherTypeHint kind={kind} project_id={project_id} filters={filtersOf(search)} />
    </EmptyState>
  );
}
