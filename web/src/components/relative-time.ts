const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The units, each up to a length (ms), from which on the next one is used. */
const UNITS = [
  { unit: 'minute', length: MINUTE, until: HOUR },
  { unit: 'hour', length: HOUR, until: DAY },
  { unit: 'day', length: DAY, until: 30 * DAY },
  { unit: 'month', length: 30.44 * DAY, until: 365 * DAY },
  { unit: 'year', length: 365.25 * DAY, until: Infinity },
] as const;

/**
 * How long ago a time was, or how far away it is, in whole units: `5m ago`, `in 3d`; less than a minute is `now`.
 * @param milliseconds the difference to now; negative for the past
 */
export function relativeTime(milliseconds: number, format: Intl.RelativeTimeFormat): string {
  const distance = Math.abs(milliseconds);
  const found = UNITS.find(({ until }) => distance < until);
  if (!found || distance < MINUTE) return format.format(0, 'second');
  return format.format(Math.trunc(milliseconds / found.length), found.unit);
}
