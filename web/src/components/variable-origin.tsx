import { ChangeLink } from './change-link';
import { TimeStamp } from './time-stamp';
import classes from './variables-table.module.css';

interface Props {
  readonly origin: {
    readonly set_by: string | null;
    readonly set_at: string;
    readonly reason: string | null;
    readonly change_id: number | null;
  };
}

/** Who set a variable, when and why, with a link to the change. */
export function VariableOrigin({ origin: { set_by, set_at, reason, change_id } }: Props) {
  const time = <TimeStamp time={set_at} />;
  return (
    <div className={classes.setBy}>
      {set_by !== null && (
        <>
          <strong className={classes.person} title={set_by}>
            {set_by}
          </strong>{' '}
        </>
      )}
      <span className={classes.time}>
        {change_id === null ? time : <ChangeLink id={change_id}>{time}</ChangeLink>}
      </span>{' '}
      {reason !== null && (
        <span className={classes.reason} title={reason}>
          {reason}
        </span>
      )}
    </div>
  );
}
