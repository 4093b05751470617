import { TimeStamp } from './time-stamp';
import classes from './variables-table.module.css';

interface Props {
  readonly origin: {
    readonly set_by: string | null;
    readonly set_at: string;
    readonly reason: string | null;
  };
}

/** Who set a variable, when and why. */
export const VariableOrigin = ({ origin: { set_by, set_at, reason } }: Props) => (
  <>
    <div>{reason}</div>
    <div className={classes.origin}>
      {set_by}
      {set_by !== null && ' · '}
      <TimeStamp time={set_at} />
    </div>
  </>
);
