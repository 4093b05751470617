import { InventoryError, type ErrorCode, type ErrorDetail } from './inventory-error';

/** A body can have more faults than anybody reads, and an answer must not be many times as long as the request. */
const MAX_DETAILS = 100;
/** In characters: no member that there is has a longer name. */
const MAX_FIELD_LENGTH = 300;

/** One error for all that is wrong with a request; of very many faults it tells the first, and how many more there are. */
export function validationError(
  faults: readonly ErrorDetail[],
  code: ErrorCode = 'invalid_request',
): InventoryError {
  const details = faults
    .slice(0, MAX_DETAILS)
    .map(({ field, message }) => ({ field: shortened(field), message }));
  const sentences = details.map(({ field, message }) => `${field}: ${message}`);
  if (faults.length > MAX_DETAILS) sentences.push(`and ${String(faults.length - MAX_DETAILS)} more`);
  return new InventoryError(code, sentences.join('; '), details);
}

const shortened = (field: string): string =>
  field.length > MAX_FIELD_LENGTH ? `${field.slice(0, MAX_FIELD_LENGTH)}…` : field;
