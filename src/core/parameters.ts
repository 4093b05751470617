import { InventoryError } from './errors';

/** The raw query of a request: repeated parameters are arrays. */
export type QueryParameters = Readonly<Record<string, unknown>>;

/** The value of a parameter that may occur once; undefined if it is absent. @throws InventoryError 400 */
export function singleValue(query: QueryParameters, name: string): string | undefined {
  const value = query[name];
  if (value === undefined || typeof value === 'string') return value;
  throw InventoryError.invalid(name, 'repeated', 'can be given only once');
}

/**
 * Checks the query of a route that is not a list: each parameter may occur once, and no others are allowed.
 * @returns a function that reads a parameter
 * @throws InventoryError 400
 */
export function parameterReader<N extends string>(
  query: QueryParameters,
  names: readonly N[],
): (name: N) => string | undefined {
  const allowed: readonly string[] = names;
  for (const name of Object.keys(query)) {
    if (!allowed.includes(name))
      throw InventoryError.invalid(name, 'unknown_parameter', 'is not a parameter here');
    singleValue(query, name);
  }
  return (name) => singleValue(query, name);
}

const INTEGER = /^-?\d+$/;
const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/**
 * Parses an id; undefined if the text is not an integer. An integer outside of the range of ids becomes 0, which no
 * resource has, because such an id is not found rather than malformed.
 */
export function parseId(text: string): number | undefined {
  if (!INTEGER.test(text)) return undefined;
  const id = Number(text);
  return Number.isSafeInteger(id) && id > 0 ? id : 0;
}

/** Normalizes a UUID, with or without dashes, to the form that the database prints; undefined if it is invalid. */
export function parseUuid(text: string): string | undefined {
  if (!UUID.test(text)) return undefined;
  const hex = text.replaceAll('-', '').toLowerCase();
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

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
  if (time === undefined) throw InventoryError.invalid(name, 'invalid_format', `must be ${TIME_FORMAT}`);
  return time;
}
