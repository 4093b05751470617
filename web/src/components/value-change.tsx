import clsx from 'clsx';
import classes from './value-change.module.css';
import { VariableValue } from './variable-value';

/** Whether both sides can be read: a side is absent where the key is not set. */
const isChange = (value: unknown): value is { readonly before?: unknown; readonly after?: unknown } =>
  typeof value === 'object' && value !== null;

/** A value before and after a change, as the API's `{"before": …, "after": …}`. */
export function ValueChange({ change }: { readonly change: unknown }) {
  const sides = isChange(change) ? change : {};
  return (
    <div className={classes.change}>
      <Side label="before" isSet={'before' in sides} value={sides.before} className={classes.before} />
      <span aria-hidden>→</span>
      <Side label="after" isSet={'after' in sides} value={sides.after} className={classes.after} />
    </div>
  );
}

interface SideProps {
  readonly label: string;
  readonly isSet: boolean;
  readonly value: unknown;
  readonly className: string | undefined;
}

function Side({ label, isSet, value, className }: SideProps) {
  if (!isSet) return <span className={classes.unset}>not set</span>;
  return (
    <div className={clsx(classes.side, className)} role="group" aria-label={label}>
      <VariableValue value={value} />
    </div>
  );
}
