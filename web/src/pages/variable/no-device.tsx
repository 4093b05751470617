import { deviceKinds } from '@muster/api-types';
import { defaultKind } from '../../api/kinds';
import { useProjectId } from '../../app/use-project';
import { filtersOf } from '../../components/list-search';
import { NoMatch } from '../../components/no-match';
import type { VariableSearch } from './variable-search';

/** Shown if no device that matches the filters has the variable. */
export function NoDevice({ search }: { readonly search: VariableSearch }) {
  const project_id = useProjectId();
  const kind = deviceKinds.find(({ collection }) => collection === search.collection) ?? defaultKind;
  return <NoMatch title="No device has it" kind={kind} project_id={project_id} filters={filtersOf(search)} />;
}
