const DAY = 24 * 60 * 60_000;
const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 60 * 60_000, d: DAY, w: 7 * DAY };

/** `2h ago`, `30 min ago`, `3 days ago`. */
const AGO = /^(\d{1,6}) ?(m|min|minutes?|h|hours?|d|days?|w|weeks?) ago$/;

/** For the help of an option that takes a time. */
export const TIME_HELP =
  '2026-11-20T14:37:06 (UTC), 2026-11-20T15:37:06+01:00, 2026-11-20, yesterday, 2h ago';

/** The parser of an option that takes a time. */
export const parseTimeOption = (text: string): string => absoluteTime(text, new Date());

/**
 * Replaces `now`, `today`, `yesterday` (midnight, local time) and `2h ago` by a time in UTC. Other texts are returned
 * unchanged: the service checks them.
 */
export function absoluteTime(text: string, now: Date): string {
  const words = text.trim().toLowerCase();
  if (words === 'now') return now.toISOString();
  if (words === 'today') return localMidnight(now, 0);
  if (words === 'yesterday') return localMidnight(now, -1);
  const [, count = '', unit = ''] = AGO.exec(words) ?? [];
  const length = UNITS[unit.charAt(0)];
  return length === undefined ? text : new Date(now.getTime() - Number(count) * length).toISOString();
}

const localMidnight = (now: Date, days: number): string =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + days).toISOString();
