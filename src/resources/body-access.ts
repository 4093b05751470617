import { mayWrite, requireVariableWrite, requireWrite } from '../auth/access';
import type { RequestContext } from '../core/context/request-context';
import type { JsonInput } from '../database/json-input';
import { keysOf } from '../variables/variables.service';

interface VariablesOfBody {
  readonly variables?: JsonInput | undefined;
}

/**
 * Checks an update's body against the roles: members need the collection's role; variables need that or their own.
 * A note alone asks for the collection's role, too: it is a member.
 * @throws InventoryError 403
 */
export function requireBodyWrite(
  ctx: RequestContext,
  collection: string,
  body: VariablesOfBody & { readonly note?: string | null | undefined },
): void {
  const { principal } = ctx;
  if (mayWrite(principal, collection)) {
    requireVariablesOfBody(ctx, collection, body);
    return;
  }
  const members = Object.entries(body).filter(([, value]) => value !== undefined);
  if (members.some(([name]) => name !== 'variables') || members.length === 0)
    requireWrite(principal, collection);
  requireVariableWrite(ctx, collection, keysOf(body.variables));
}

/**
 * Checks the variables that something is created with: the guard has seen to the collection's role, which does not
 * reach private variables.
 * @throws InventoryError 403
 */
export function requireVariablesOfBody(ctx: RequestContext, collection: string, body: VariablesOfBody): void {
  const keys = keysOf(body.variables);
  if (keys.length > 0) requireVariableWrite(ctx, collection, keys);
}
