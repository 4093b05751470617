import { InventoryError } from '../core/errors/inventory-error';
import type { RouteAccess } from './access';

/** A caller is known and may not do what a route does. */
export class NotAdmitted extends InventoryError {
  /** What would have been enough. */
  readonly needed: string;

  constructor(access: RouteAccess | undefined) {
    super('forbidden', 'The roles of this user do not allow this.');
    this.needed = access ? neededFor(access) : 'nothing is enough: the route is closed';
  }
}

function neededFor(access: RouteAccess): string {
  if (access.needs !== 'write') return access.needs;
  const { collection, orVariables } = access;
  return orVariables ? `${collection}:write, or a role for a variable` : `${collection}:write`;
}
