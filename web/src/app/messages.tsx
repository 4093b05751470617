import { Notifications } from '@mantine/notifications';
import classes from './shell.module.css';

/** The messages about what was done. Nothing of them is needed before the first one. */
export const Messages = () => (
  <Notifications className={classes.messages} position="bottom-right" withinPortal={false} />
);
