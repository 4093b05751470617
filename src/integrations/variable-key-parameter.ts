import { InventoryError } from '../core/errors/inventory-error';
import { variableKeyError } from '../core/context/variable-key';

/** Parses a parameter whose value is the key of a variable. @throws InventoryError 400 */
export function variableName(parameter: string, text: string): string {
  const error = variableKeyError(text);
  if (error !== undefined) throw InventoryError.invalid(parameter, error);
  return text;
}
