import { InventoryError } from '../core/errors/inventory-error';
import { keyFault } from '../core/context/variable-key';

/** Reads the key of a variable from a parameter. @throws InventoryError 400 */
export function variableName(parameter: string, text: string): string {
  const fault = keyFault(text);
  if (fault !== undefined) throw InventoryError.invalid(parameter, fault);
  return text;
}
