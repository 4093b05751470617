import { InventoryError } from '../core/errors/inventory-error';
import type { RouteAccess } from './access';

/** The caller is authenticated, but their roles do not allow the route. */
export class NotAdmitted extends InventoryError {
  /** The role that the route requires, for the audit log. */
  readonly needed: string;

  constructor(access: RouteAccess | undefined) {
    super('forbidden', 'The roles of this user do not allow this.');
    this.needed = access ? requiredRole(access) : 'the route declares no access';
  }
}

function requiredRole(access: RouteAccess): string {
  if (access.needs !== 'write') return access.needs;
  const { collection, orVariables } = access;
  return orVariables ? `${collection}:write, or a role for a variable` : `${collection}:write`;
}
