import { createContext } from 'react';

/**
 * Whether Tab stops at links. In a list, it stops only at those of the active row: otherwise, a page would have hundreds of stops. And
 * it would not reach the links of rows that are not in view, because these rows are not rendered.
 */
export const LinkStops = createContext(true);
