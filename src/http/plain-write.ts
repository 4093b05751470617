import type { RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors';

/**
 * For writes of what is not part of the inventory, such as sessions: there is no dry run, and no response is stored.
 * @throws InventoryError 400
 */
export function assertPlainWrite({ preview, idempotency }: RequestContext): void {
  if (preview) throw InventoryError.invalid('dry_run', 'unknown_parameter', 'is not a parameter here');
  if (idempotency)
    throw InventoryError.invalid('Idempotency-Key', 'unsupported', 'is not supported by this endpoint');
}
