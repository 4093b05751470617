import { requireVariableWrite } from '../../auth/access';
import type { RequestContext } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors/inventory-error';
import type { RecordedObject } from './recorded-change';
import { requireKindWrite } from './revertible-kinds';

/**
 * The caller must be able to write everything that the change touched: the resources, or only the variables if nothing
 * else is reverted.
 * @throws InventoryError 403, which does not name hidden variables
 */
export function requireRevert(ctx: RequestContext, objects: readonly RecordedObject[]): void {
  const { principal, visibility } = ctx;
  // Created resources are deleted, with all their variables.
  const restored = objects.filter(({ action }) => action !== 'create');
  const isHidden = ({ keys }: RecordedObject) => keys.some((key) => !visibility.sees(key));
  if (restored.some(isHidden) || objects.some(({ hidden }) => hidden))
    throw new InventoryError('forbidden', 'This would alter variables that are private in this project.');
  for (const { kind, action, members, keys } of objects) {
    if (action === 'update' && members.length === 0) requireVariableWrite(ctx, kind.shape.collection, keys);
    else requireKindWrite(principal, kind);
  }
}
