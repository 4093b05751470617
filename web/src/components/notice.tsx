import clsx from 'clsx';
import type { ReactNode } from 'react';
import classes from './notice.module.css';

interface Props {
  readonly kind: 'info' | 'warning' | 'error';
  readonly title?: string;
  readonly children?: ReactNode;
}

/** A message within a page or dialog. Screen readers announce it; warnings and errors at once. */
export function Notice({ kind, title, children }: Props) {
  return (
    <div className={clsx(classes.notice, classes[kind])} role={kind === 'info' ? 'status' : 'alert'}>
      {title !== undefined && <div className={classes.title}>{title}</div>}
      {children}
    </div>
  );
}
