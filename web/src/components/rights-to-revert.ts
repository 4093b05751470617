import type { components } from '@muster/api-types';
import type { NeededRight } from '../api/rights';
import { changedMembers } from './changed-members';

/** What the revert of a change needs: the same as the writes that it undoes. @param objects what the change touched */
export const rightsToRevert = (
  objects: readonly components['schemas']['ChangedObject'][],
): readonly NeededRight[] =>
  objects.map(({ kind, action, variables, ...sides }) => ({
    // The name of a collection is the plural of that of its kind.
    collection: `${kind}s`,
    ...(action === 'update' && changedMembers(sides).length === 0 && { keys: Object.keys(variables) }),
  }));
