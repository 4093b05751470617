import { InventoryError } from '../core/errors';
import { parseStorableText } from '../lists/list-filter';

/** Parses the required parameter `host`. @throws InventoryError 400 */
export function parseHostName(text: string | undefined): string {
  if (text === undefined || text === '')
    throw InventoryError.invalid('host', 'required', 'must be given: the name of a host');
  return parseStorableText('host', text);
}
