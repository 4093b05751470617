import clsx from 'clsx';
import type { Level } from './level-mark';
import classes from './share-bar.module.css';

interface Props {
  readonly part: number;
  readonly total: number;
  /** The level whose colour it has; without one it is grey. */
  readonly level?: Level;
}

/** A part of a total as a bar. The number stands beside it, so screen readers ignore it. */
export const ShareBar = ({ part, total, level }: Props) => (
  <div className={classes.bar} aria-hidden>
    <div
      className={clsx(classes.share, level && classes[level])}
      style={{ width: `${total === 0 ? 0 : (part / total) * 100}%` }}
    />
  </div>
);
