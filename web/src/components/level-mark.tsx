import clsx from 'clsx';
import type { ReactNode } from 'react';
import classes from './level-mark.module.css';
import type { Level } from './levels';

export { hasLevel, levelOf, type Level } from './levels';

const LETTERS: Readonly<Record<Level, string>> = { region: 'R', cell: 'C', label: 'L', device: 'D' };

interface Props {
  readonly level: Level;
  /** The name of the region, cell, label or device. Without it, only the mark is shown. */
  readonly children?: ReactNode;
}

/** The mark of a level: the same colour and letter in every table, chip, tree, diff and graph. */
export function LevelMark({ level, children }: Props) {
  return (
    <span className={classes.mark} title={children === undefined ? level : undefined}>
      <span className={clsx(classes.badge, classes[level])} data-letter={LETTERS[level]} aria-hidden />
      <span className={classes.hidden}>{level} </span>
      {children !== undefined && (
        // A name in a script that is read from right to left keeps its order, and is cut at its end.
        <span className={classes.name} dir="auto">
          {children}
        </span>
      )}
    </span>
  );
}
