import { requireVariableWrite } from '../../auth/access';
import type { RequestContext } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors/inventory-error';
import type { RecordedObject } from './recorded-change';
import { requireKindWrite } from './revertible-kinds';

/**
 * Whoever undoes a change writes everything that it touched: as a member of the collection, or, where variables alone
 * are put back, of those variables.
 * @throws InventoryError 403; of variables that the caller does not see it names none
 */
export function requireRevert(ctx: RequestContext, objects: readonly RecordedObject[]): void {
  const { principal, visibility } = ctx;
  // What came into being by the change is deleted, with whatever variables it has.
  const putBack = objects.filter(({ action }) => action !== 'create');
  const isHidden = ({ keys }: RecordedObject) => keys.some((key) => !visibility.sees(key));
  if (putBack.some(isHidden) || objects.some(({ hidden }) => hidden))
    throw new InventoryError('forbidden', 'This would alter variables that are private in this project.');
  for (const { kind, action, members, keys } of objects) {
    if (action === 'update' && members.length === 0) requireVariableWrite(ctx, kind.shape.collection, keys);
    else requireKindWrite(principal, kind);
  }
}
