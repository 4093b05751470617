import { lazyComponent } from './lazy-component';

/** What a project without devices offers. Loaded only there. */
export const WaysIn = lazyComponent(() => import('./ways-in').then(({ WaysIn: component }) => component));
