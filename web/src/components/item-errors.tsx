import classes from './import-faults.module.css';
import { itemFaultsOf, unnamedFaults } from './item-faults';
import { Notice } from './notice';
import type { PlannedWrite } from './planned-write';
import { ErrorAlert, RequestId } from './states';

interface Props {
  readonly error: Error;
  readonly itemTitle: PlannedWrite['itemTitle'] | undefined;
}

/** Why a write was rejected. What is wrong with a part of it is named as the user knows that: a device, not the second operation. */
export function ItemErrors({ error, itemTitle }: Props) {
  const more = unnamedFaults(error);
  const faults = itemTitle ? itemFaultsOf(error) : [];
  if (!itemTitle || faults.length === 0) return <ErrorAlert error={error} />;
  return (
    <Notice kind="error" title="Nothing was written.">
      <ul className={classes.faults} tabIndex={0} aria-label="Faults">
        {faults.map((fault, i) => (
          <li key={i}>
            <strong>{itemTitle(fault)}</strong>: {fault.message}
          </li>
        ))}
      </ul>
      {more > 0 && `And ${more} more.`}
      <RequestId error={error} />
    </Notice>
  );
}
