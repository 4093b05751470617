import { lazyComponent } from './lazy-component';
import type { OtherTypeProps } from './other-type-hint';
import { EmptyState } from './states';

const OtherTypeHint = lazyComponent(
  () => import('./other-type-hint').then(({ OtherTypeHint: component }) => component),
  // The text is there without it.
  { failure: () => null },
);

interface Props extends OtherTypeProps {
  readonly title: string;
}

/** Shown if no device matches the filters. */
export const NoMatch = ({ title, ...props }: Props) => (
  <EmptyState title={title}>
    Remove a filter, or look among the other kinds.
    <OtherTypeHint {...props} />
  </EmptyState>
);
