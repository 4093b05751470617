import { InventoryError } from '../../core/errors/inventory-error';
import { parseStorableText } from '../../list/list-filter';

/** Parses the required parameter `host`. @throws InventoryError 400 */
export function hostName(text: string | undefined): string {
  if (text === undefined || text === '')
    throw InventoryError.invalid('host', 'must be given: the name of a host');
  return parseStorableText('host', text);
}
