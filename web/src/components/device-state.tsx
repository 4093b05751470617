import clsx from 'clsx';
import classes from './device-state.module.css';

/** Whether a device is in service. */
export const DeviceState = ({ isActive }: { readonly isActive: boolean }) => (
  <span className={clsx(classes.state, isActive ? classes.active : classes.inactive)}>
    {isActive ? 'active' : 'inactive'}
  </span>
);
