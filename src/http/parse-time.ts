import { InventoryError } from '../core/errors/inventory-error';

const TIME = /^(?!0000)\d{4}-\d\d-\d\dT(?!24)\d\d:\d\d(:\d\d(\.\d{1,6})?)?Z?$/;

/** A time in UTC, in the form that answers show and with or without a `Z`, for PostgreSQL; undefined if it is none. */
export function parseTime(text: string): string | undefined {
  if (!TIME.test(text)) return undefined;
  const time = text.replace(/Z?$/, 'Z');
  const parsed = Date.parse(time);
  // The 30th of February is read as the 1st of March.
  if (Number.isNaN(parsed) || new Date(parsed).toISOString().slice(0, 10) !== time.slice(0, 10))
    return undefined;
  return time;
}

/** A time that `parseTime` accepts, as answers show it: of two such texts, that of the later time is the greater. */
export function formatTime(time: string): string {
  const [whole = '', fraction = ''] = time.replace(/Z$/, '').split('.');
  const seconds = whole.length === 'YYYY-MM-DDTHH:MM'.length ? `${whole}:00` : whole;
  return `${seconds}.${fraction.padEnd(6, '0')}`;
}

/** Reads a time. @throws InventoryError 400 */
export function timeValue(name: string, text: string): string {
  const time = parseTime(text);
  if (time === undefined)
    throw InventoryError.invalid(name, 'must be a time in UTC such as 2017-02-16T14:28:55');
  return time;
}
