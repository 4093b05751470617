import { dateOf, ZONE } from './date-of';
import { relativeTime } from './relative-time';
import classes from './time-stamp.module.css';
import { useNow } from './use-now';

/** A time in the local time zone. The language of the browser says whether a day has 24 hours, or two times 12. */
export const localTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'narrow' });

/** The last microsecond before a time with six digits after the second, as the API has it. */
export function microsecondBefore(time: string): string {
  const fraction = Number(time.slice(-6));
  if (fraction > 0) return `${time.slice(0, -6)}${String(fraction - 1).padStart(6, '0')}`;
  const second = new Date(dateOf(time).getTime() - 1_000).toISOString();
  return `${second.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)}.999999`;
}

/** Of a column of times, in pixels: as wide as the longest one, so that none is cut off. */
export const TIME_WIDTH = 280;

/** A time in the local time zone, and how long ago that was; on hover, in UTC with all digits, as the API has it. */
export function TimeStamp({ time }: { readonly time: string }) {
  const now = useNow();
  const date = dateOf(time);
  const withoutZone = ZONE.test(time) ? date.toISOString().slice(0, -1) : time;
  const utc = `${withoutZone.replace('T', ' ')} UTC`;
  return (
    <time className={classes.time} dateTime={`${withoutZone}Z`} title={utc}>
      <span>{localTime.format(date)}</span>{' '}
      <span className={classes.relative}>· {relativeTime(date.getTime() - now, relative)}</span>
    </time>
  );
}
