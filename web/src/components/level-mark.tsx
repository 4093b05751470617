import clsx from 'clsx';
import type { ReactNode } from 'react';
import { deviceKind } from '../api/kinds';
import classes from './level-mark.module.css';

/** What sets variables, broadest first. */
export type Level = 'region' | 'cell' | 'label' | 'device';

const LETTERS: Readonly<Record<Level, string>> = { region: 'R', cell: 'C', label: 'L', device: 'D' };

/** The level of a kind of resource, as the API names it: every kind of device is the level `device`. */
export const levelOf = (kind: string): Level =>
  kind === 'region' || kind === 'cell' || kind === 'label' ? kind : 'device';

/** Whether a kind of resource sets variables that devices inherit, or is a device. */
export const hasLevel = (kind: string): boolean =>
  levelOf(kind) !== 'device' || deviceKind(kind) !== undefined;

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
      {children !== undefined && <span className={classes.name}>{children}</span>}
    </span>
  );
}
