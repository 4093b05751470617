import { InventoryError } from '../core/errors/inventory-error';

/** A date, or a date and a time. A `+` in a URL that is not encoded becomes a space. */
const TIME =
  /^(\d{4}-\d\d-\d\d)(?:T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(\.\d{1,6})?)?(?:Z|([+ -])(0\d|1[0-4]):([0-5]\d))?)?$/;

/** The times that PostgreSQL and JavaScript both know. */
const FOUR_DIGIT_YEAR = /^(?!0000)\d{4}-/;

const MINUTE = 60_000;

/**
 * Parses a time: a date alone (midnight), or a date and a time; in UTC, or with an offset such as `+01:00`.
 * @returns it in UTC, for PostgreSQL: `2017-02-16T14:28:55.5Z`; undefined if it is invalid
 */
export function parseTime(text: string): string | undefined {
  const match = TIME.exec(text);
  if (!match) return undefined;
  const [, day = '', hours = '00', minutes = '00', seconds = '00', fraction = '', sign, ...offset] = match;
  const given = `${day}T${hours}:${minutes}:${seconds}`;
  const local = Date.parse(`${given}Z`);
  // `Date.parse` accepts the 30th of February as the 1st of March.
  if (Number.isNaN(local) || !new Date(local).toISOString().startsWith(given)) return undefined;
  const [offsetHours = '0', offsetMinutes = '0'] = sign === undefined ? [] : offset;
  const ahead = (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === '-' ? -1 : 1) * MINUTE;
  const utc = new Date(local - ahead).toISOString();
  return FOUR_DIGIT_YEAR.test(utc) ? `${utc.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)}${fraction}Z` : undefined;
}

/** Formats a result of `parseTime` as responses show it. The texts sort by time. */
export function formatTime(time: string): string {
  const [whole = '', fraction = ''] = time.replace(/Z$/, '').split('.');
  return `${whole}.${fraction.padEnd(6, '0')}`;
}

/** What error messages say about the format. */
export const TIME_FORMAT =
  'a time such as 2017-02-16T14:28:55 (UTC), 2017-02-16T15:28:55+01:00 or 2017-02-16';

/** Parses a time parameter. @throws InventoryError 400 */
export function timeValue(name: string, text: string): string {
  const time = parseTime(text);
  if (time === undefined) throw InventoryError.invalid(name, `must be ${TIME_FORMAT}`);
  return time;
}
