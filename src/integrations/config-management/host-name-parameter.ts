import { InventoryError } from '../../core/errors/inventory-error';
import { storableText } from '../../list/list-filter';

/** Reads the name of a host that has to be given. @throws InventoryError 400 */
export function hostName(text: string | undefined): string {
  if (text === undefined || text === '')
    throw InventoryError.invalid('host', 'must be given: the name of a host');
  return storableText('host', text);
}
