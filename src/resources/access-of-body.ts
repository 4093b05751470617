import { mayWrite, requireVariableWrite, requireWrite } from '../auth/access';
import type { Principal } from '../shared/context/request-context';
import type { JsonInput } from '../shared/json/json-input';
import { keysOf } from '../variables/variables.service';

/**
 * Checks an update's body against the roles: members need the collection's role; variables need that or their own.
 * A note alone asks for the collection's role, too: it is a member.
 * @throws InventoryError 403
 */
export function requireBodyWrite(
  principal: Principal,
  collection: string,
  body: { readonly variables?: JsonInput | undefined; readonly note?: string | null | undefined },
): void {
  if (mayWrite(principal, collection)) return;
  const members = Object.entries(body).filter(([, value]) => value !== undefined);
  if (members.some(([name]) => name !== 'variables') || members.length === 0)
    requireWrite(principal, collection);
  requireVariableWrite(principal, collection, keysOf(body.variables));
}
