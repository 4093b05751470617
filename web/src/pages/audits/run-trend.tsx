import { Text, VisuallyHidden } from '@mantine/core';
import clsx from 'clsx';
import { dateOf } from '../../components/date-of';
import type { PastRun } from '../../api/audits';
import classes from './run-trend.module.css';

const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const count = new Intl.NumberFormat();

/** The failing devices of the last runs as bars, the oldest run first. The highest bar is the run in which the most failed. */
export function RunTrend({ runs }: { readonly runs: readonly PastRun[] }) {
  const most = Math.max(1, ...runs.map(({ failed }) => failed));
  if (runs.length < 2) return null;
  return (
    <figure className={classes.figure}>
      <Text component="figcaption" size="xs" c="dimmed">
        Devices that failed in the last {runs.length} runs: the latest run is on the right, and the highest
        bar is {count.format(most)}
      </Text>
      <ol className={classes.trend} aria-label="Past runs">
        {runs.toReversed().map(({ created_at, devices, failed }) => {
          const text = `${local.format(dateOf(created_at))}: ${count.format(failed)} of ${count.format(devices)} failed`;
          return (
            <li
              key={created_at}
              className={clsx(classes.run, failed === 0 && classes.passed)}
              style={{ height: `${String((100 * failed) / most)}%` }}
              title={text}
            >
              <VisuallyHidden>{text}</VisuallyHidden>
            </li>
          );
        })}
      </ol>
    </figure>
  );
}
