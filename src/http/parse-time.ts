import { InventoryError } from '../core/errors/inventory-error';

const TIME = /^(?!0000)\d{4}-\d\d-\d\dT(?!24)\d\d:\d\d(:\d\d(\.\d{1,6})?)?Z?$/;

/**
 * Parses a UTC time in the API's format, with an optional `Z`.
 * @returns it for PostgreSQL; undefined if it is invalid
 */
export function parseTime(text: string): string | undefined {
  if (!TIME.test(text)) return undefined;
  const time = text.replace(/Z?$/, 'Z');
  const parsed = Date.parse(time);
  // `Date.parse` accepts the 30th of February as the 1st of March.
  if (Number.isNaN(parsed) || new Date(parsed).toISOString().slice(0, 10) !== time.slice(0, 10))
    return undefined;
  return time;
}

/** Formats a time that `parseTime` accepts as responses show it. The texts sort by time. */
export function formatTime(time: string): string {
  const [whole = '', fraction = ''] = time.replace(/Z$/, '').split('.');
  const seconds = whole.length === 'YYYY-MM-DDTHH:MM'.length ? `${whole}:00` : whole;
  return `${seconds}.${fraction.padEnd(6, '0')}`;
}

/** Parses a time parameter. @throws InventoryError 400 */
export function timeValue(name: string, text: string): string {
  const time = parseTime(text);
  if (time === undefined)
    throw InventoryError.invalid(name, 'must be a time in UTC such as 2017-02-16T14:28:55');
  return time;
}
