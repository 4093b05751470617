import { Tooltip } from '@mantine/core';

const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** A time of the API as a date: UTC without a zone. Digits beyond milliseconds are only shown. */
export const dateOf = (time: string): Date => new Date(`${time.slice(0, 23)}Z`);

/** A time in the local time zone; on hover and focus, in UTC with all digits, as the API has it. */
export function TimeStamp({ time }: { readonly time: string }) {
  const utc = `${time.replace('T', ' ')} UTC`;
  return (
    <Tooltip label={utc}>
      <time dateTime={`${time}Z`} aria-label={`${local.format(dateOf(time))} (${utc})`}>
        {local.format(dateOf(time))}
      </time>
    </Tooltip>
  );
}
