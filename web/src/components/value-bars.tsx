import type { LinkOptions } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Level } from './level-mark';
import { RouteLink } from './resource-link';
import { ShareBar } from './share-bar';
import { shareText } from './share-text';
import classes from './value-bars.module.css';

/** One bar. */
export interface Bar {
  readonly id: string;
  readonly name: ReactNode;
  readonly count: number;
  /** The level whose colour the bar has. */
  readonly level?: Level;
  /** The list behind the bar; undefined if there is none. */
  readonly link: LinkOptions | undefined;
}

interface Props {
  /** What the bars show: `Devices by region`. */
  readonly label: string;
  readonly bars: readonly Bar[];
  /** What the whole width stands for; by default the sum of the bars. */
  readonly total?: number;
}

const count = new Intl.NumberFormat();

/** Numbers of devices as horizontal bars, each with a link to the devices. */
export function ValueBars({ label, bars, total = bars.reduce((sum, bar) => sum + bar.count, 0) }: Props) {
  return (
    <ul className={classes.bars} aria-label={label}>
      {bars.map(({ id, name, count: number, level, link }) => (
        <li key={id} className={classes.bar}>
          <span className={classes.name}>
            {link ? (
              <RouteLink {...link} size="sm">
                {name}
              </RouteLink>
            ) : (
              name
            )}
          </span>
          <div className={classes.track}>
            <ShareBar part={number} total={total} {...(level ? { level } : {})} />
          </div>
          <span className={classes.count}>
            {count.format(number)} <span className={classes.share}>{shareText(number, total)}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
