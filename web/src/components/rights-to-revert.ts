import type { components } from '@muster/api-types';
import { collectionOfKind } from '../api/kinds';
import type { NeededRight } from '../api/rights';
import { changedMembers } from './changed-members';

/** What the revert of a change needs: the same as the writes that it undoes. @param objects what the change touched */
export const rightsToRevert = (
  objects: readonly components['schemas']['ChangedObject'][],
): readonly NeededRight[] =>
  objects
    // A proposal stays applied.
    .filter(({ kind }) => kind !== 'proposal')
    .map(({ kind, action, variables, ...sides }) => ({
      collection: collectionOfKind(kind),
      ...(action === 'update' && changedMembers(sides).length === 0 && { keys: Object.keys(variables) }),
    }));
