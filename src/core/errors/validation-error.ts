import { InventoryError, type ErrorCode, type ErrorDetail } from './inventory-error';

/** A body can have more faults than anybody reads, and an answer must not be many times as long as the request. */
const MOST_TOLD = 100;
/** In characters: no member that there is has a longer name. */
const LONGEST_FIELD = 300;

/** One error for all that is wrong with a request; of very many faults it tells the first, and how many more there are. */
export function validationError(
  faults: readonly ErrorDetail[],
  code: ErrorCode = 'invalid_request',
): InventoryError {
  const details = faults
    .slice(0, MOST_TOLD)
    .map(({ field, message }) => ({ field: shortened(field), message }));
  const sentences = details.map(({ field, message }) => `${field}: ${message}`);
  if (faults.length > MOST_TOLD) sentences.push(`and ${String(faults.length - MOST_TOLD)} more`);
  return new InventoryError(code, sentences.join('; '), details);
}

const shortened = (field: string): string =>
  field.length > LONGEST_FIELD ? `${field.slice(0, LONGEST_FIELD)}…` : field;
