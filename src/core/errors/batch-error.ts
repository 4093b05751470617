import type { InventoryError, ErrorDetail } from './inventory-error';
import { validationError } from './validation-error';

/** What is wrong with one of several items. */
export interface BatchItemError {
  /** Counted from 0. */
  readonly place: number;
  readonly error: InventoryError;
}

/** The faults of several items as one error: its code is that of the first, its details say where: `[2].name`. */
export function batchError(faults: readonly BatchItemError[]): InventoryError {
  const details = faults.flatMap(({ place, error }): ErrorDetail[] =>
    error.details.length === 0
      ? [{ field: `[${String(place)}]`, message: error.message }]
      : error.details.map(({ field, message }) => ({ field: `[${String(place)}].${field}`, message })),
  );
  return validationError(details, faults[0]?.error.code);
}
