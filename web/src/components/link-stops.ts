import { createContext } from 'react';

/**
 * Whether Tab stops at links. In a list, it stops at those of the active row: a page would have hundreds of stops, and of the rows
 * that are not in view none.
 */
export const LinkStops = createContext(true);
