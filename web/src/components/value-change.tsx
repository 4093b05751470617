import clsx from 'clsx';
import type { ReactNode } from 'react';
import classes from './value-change.module.css';
import { VariableValue } from './variable-value';

/** Whether both sides can be read: a side is absent where the key is not set. */
const isChange = (value: unknown): value is { readonly before?: unknown; readonly after?: unknown } =>
  typeof value === 'object' && value !== null;

interface Props {
  readonly change: unknown;
  /** How a side is shown; by default as JSON text. */
  readonly render?: ((value: unknown) => ReactNode) | undefined;
}

const asJson = (value: unknown): ReactNode => <VariableValue value={value} />;

/** A value before and after a change, as the API's `{"before": …, "after": …}`. */
export function ValueChange({ change, render = asJson }: Props) {
  const sides = isChange(change) ? change : {};
  return (
    <div className={classes.change}>
      <Side label="before" isSet={'before' in sides} className={classes.before}>
        {render(sides.before)}
      </Side>
      <span aria-hidden>→</span>
      <Side label="after" isSet={'after' in sides} className={classes.after}>
        {render(sides.after)}
      </Side>
    </div>
  );
}

interface SideProps {
  readonly label: string;
  readonly isSet: boolean;
  readonly children: ReactNode;
  readonly className: string | undefined;
}

function Side({ label, isSet, children, className }: SideProps) {
  if (!isSet) return <span className={classes.unset}>not set</span>;
  return (
    <div className={clsx(classes.side, className)} role="group" aria-label={label}>
      {children}
    </div>
  );
}
