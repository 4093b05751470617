import type { ReactNode } from 'react';
import classes from './member-list.module.css';

/** Names and values side by side. @param label what they are about */
export const MemberList = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <dl className={classes.members} aria-label={label}>
    {children}
  </dl>
);

export const Member = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);
