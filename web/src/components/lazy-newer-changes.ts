import { lazyComponent } from './lazy-component';

/** Offers to read again what is older than the newest change of the project. */
export const NewerChanges = lazyComponent(
  () => import('./newer-changes').then(({ NewerChanges: component }) => component),
  { failure: () => null },
);
