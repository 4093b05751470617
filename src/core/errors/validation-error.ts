import { InventoryError, type ErrorCode, type ErrorDetail } from './inventory-error';

/** Limits the length of the response for a body with many errors. */
const MAX_DETAILS = 100;
/** In characters. Names of existing members are shorter. */
const MAX_FIELD_LENGTH = 300;

/** Combines all errors of a request. Beyond the maximum, the message only contains the number of further errors. */
export function validationError(
  faults: readonly ErrorDetail[],
  code: ErrorCode = 'invalid_request',
): InventoryError {
  const details = faults
    .slice(0, MAX_DETAILS)
    .map(({ field, message }) => ({ field: truncate(field), message }));
  const sentences = details.map(({ field, message }) => `${field}: ${message}`);
  if (faults.length > MAX_DETAILS) sentences.push(`and ${String(faults.length - MAX_DETAILS)} more`);
  return new InventoryError(code, sentences.join('; '), details);
}

const truncate = (field: string): string =>
  field.length > MAX_FIELD_LENGTH ? `${field.slice(0, MAX_FIELD_LENGTH)}…` : field;

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
