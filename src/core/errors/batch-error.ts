import type { InventoryError, ErrorDetail } from './inventory-error';
import { validationError } from './validation-error';

/** The error of one item of a batch. */
export interface BatchItemError {
  /** Counted from 0. */
  readonly index: number;
  readonly error: InventoryError;
}

/** Combines the errors of items. The code is that of the first error; the details name the item, as in `[2].name`. */
export function batchError(faults: readonly BatchItemError[]): InventoryError {
  const details = faults.flatMap(({ index, error }): ErrorDetail[] =>
    error.details.length === 0
      ? [{ field: `[${String(index)}]`, message: error.message }]
      : error.details.map(({ field, message }) => ({ field: `[${String(index)}].${field}`, message })),
  );
  return validationError(details, faults[0]?.error.code);
}
