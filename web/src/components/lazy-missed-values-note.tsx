import { lazyComponent } from './lazy-component';
import type { ListFilters } from './list-search';

interface Props {
  readonly project_id: string;
  readonly filters: ListFilters;
}

const Note = lazyComponent(
  () => import('./missed-values-note').then(({ MissedValuesNote: component }) => component),
  // The list is there without it.
  { failure: () => null },
);

/** What filters by variables cannot find: loaded only if there are some. */
export const MissedValuesNote = (props: Props) =>
  (props.filters.vars ?? props.filters.where) === undefined ? null : <Note {...props} />;
