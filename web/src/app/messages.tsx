import { Notifications } from '@mantine/notifications';
import classes from './shell.module.css';

/** The messages about what was done. Loaded after the page, which needs no message at first. */
export const Messages = () => (
  <Notifications className={classes.messages} position="bottom-right" withinPortal={false} />
);
