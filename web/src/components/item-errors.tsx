import { useEffect, useEffectEvent, useRef } from 'react';
import { FaultButton } from './fault-button';
import classes from './import-faults.module.css';
import { itemFaultsOf, unnamedFaults, type ItemFault } from './item-faults';
import { Notice } from './notice';
import type { PlannedWrite } from './planned-write';
import { ErrorAlert, RequestId } from './states';

export interface ItemErrorsProps {
  readonly error: Error;
  readonly itemTitle: PlannedWrite['itemTitle'] | undefined;
  readonly itemMessage?: PlannedWrite['itemMessage'];
  /** Called with the fault that the user wants to correct. Undefined: it cannot be corrected where it is listed. */
  readonly onCorrect?: ((fault: ItemFault) => void) | undefined;
  /** Whether the first fault that can be corrected gets the focus. */
  readonly takesFocus?: boolean;
}

/** Why a write was rejected. What is wrong with a part of it is named as the user knows that: a device, not the second operation. */
export function ItemErrors({
  error,
  itemTitle,
  itemMessage = ({ message }) => message,
  onCorrect,
  takesFocus = false,
}: ItemErrorsProps) {
  const more = unnamedFaults(error);
  const faults = itemTitle ? itemFaultsOf(error) : [];
  const list = useRef<HTMLUListElement>(null);
  const focusFirst = useEffectEvent(() => {
    if (takesFocus) list.current?.querySelector('button')?.focus();
  });
  useEffect(() => {
    focusFirst();
  }, [error]);
  if (!itemTitle || faults.length === 0) return <ErrorAlert error={error} />;
  return (
    <Notice kind="error" title="Nothing was written.">
      <ul ref={list} className={classes.faults} tabIndex={0} aria-label="Faults">
        {faults.map((fault, i) => (
          <li key={i}>
            {onCorrect ? (
              <FaultButton
                onClick={() => {
                  onCorrect(fault);
                }}
              >
                {itemTitle(fault)}
              </FaultButton>
            ) : (
              <strong>{itemTitle(fault)}</strong>
            )}
            : {itemMessage(fault)}
          </li>
        ))}
      </ul>
      {more > 0 && `And ${more} more.`}
      <RequestId error={error} />
    </Notice>
  );
}
