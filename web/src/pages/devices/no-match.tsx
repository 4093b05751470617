import { lazyComponent } from '../../components/lazy-component';
import { EmptyState } from '../../components/states';
import type { OtherTypeProps } from '../../components/other-type-hint';

const OtherTypeHint = lazyComponent(
  () => import('../../components/other-type-hint').then(({ OtherTypeHint: component }) => component),
  // The list is there without it.
  { failure: () => null },
);

/** Shown if no device matches the filters. */
export const NoMatch = (props: OtherTypeProps) => (
  <EmptyState title="No device matches">
    Remove a filter, or look among the other kinds.
    <OtherTypeHint {...props} />
  </EmptyState>
);
