import { Inject, Injectable } from '@nestjs/common';
import { InventoryError } from '../core/errors';
import { findClosest } from '../core/text';

/** The token of the names of all collections, which `history/revert/revertible-kinds.ts` provides. */
export const COLLECTION_NAMES = Symbol('COLLECTION_NAMES');

const ROLE_SUFFIX = ':write';

/** The collections that a role can name. */
@Injectable()
export class RoleCollections {
  constructor(@Inject(COLLECTION_NAMES) readonly names: readonly string[]) {}

  /** @throws InventoryError 400 for a role of a collection that does not exist; the message names the closest role */
  assertKnown(roles: readonly string[], field = 'roles'): void {
    for (const role of roles) {
      if (!role.endsWith(ROLE_SUFFIX)) continue;
      const collection = role.slice(0, -ROLE_SUFFIX.length);
      if (collection !== '*' && !this.names.includes(collection))
        throw InventoryError.invalid(field, 'invalid_value', unknownCollectionText(collection, this.names));
    }
  }
}

function unknownCollectionText(collection: string, names: readonly string[]): string {
  const closest = findClosest(collection, names);
  const hint =
    closest === undefined
      ? `the collections are ${names.toSorted().join(', ')}`
      : `did you mean ${closest}${ROLE_SUFFIX}?`;
  return `${JSON.stringify(collection + ROLE_SUFFIX)} names no collection: ${hint}`;
}
