import { createContext, type ReactNode } from 'react';

/** Shows a dialog that stays when what has opened it is closed, until another page is opened; undefined for none. */
export const ShowDialog = createContext<(dialog: ReactNode) => void>(() => undefined);
