import type { ReactNode } from 'react';
import { LevelMark } from './level-mark';
import classes from './resource-members.module.css';
import { TimeStamp } from './time-stamp';

/** Names and values side by side. @param label what they are about */
export const Members = ({
  label = 'Members',
  children,
}: {
  readonly label?: string;
  readonly children: ReactNode;
}) => (
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

interface LabelsProps {
  /** Names joined by commas. */
  readonly labels: string;
  /** The link of a label. */
  readonly children: (label: string) => ReactNode;
}

export const LabelsMember = ({ labels, children }: LabelsProps) => (
  <Member name="Labels">
    <span className={classes.labels}>
      {labels === ''
        ? 'none'
        : labels.split(',').map((label) => (
            <LevelMark key={label} level="label">
              {children(label)}
            </LevelMark>
          ))}
    </span>
  </Member>
);

interface TimesProps {
  readonly created_at: string;
  readonly updated_at: string | null;
}

/** The members that every resource ends with. */
export const MembersOfTime = ({ created_at, updated_at }: TimesProps) => (
  <>
    <Member name="Created">
      <TimeStamp time={created_at} />
    </Member>
    {updated_at !== null && (
      <Member name="Updated">
        <TimeStamp time={updated_at} />
      </Member>
    )}
  </>
);
