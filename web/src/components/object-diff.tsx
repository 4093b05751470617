import type { components } from '@muster/api-types';
import { changedMembers } from './changed-members';
import { useContext } from 'react';
import { VariableKeyLink } from './variable-key-link';
import { LabelChange } from './label-change';
import { hasLevel, LevelMark, levelOf } from './level-mark';
import { MemberReference, referringMember, type ReferringMember } from './member-references';
import { memberTitle } from './member-title';
import classes from './object-diff.module.css';
import { createdIn, PreviewContext } from './preview-context';
import { ValueChange } from './value-change';

type ChangedObject = components['schemas']['ChangedObject'];

/** Members and variables of one resource that a change altered. */
export function ObjectDiff({ object }: { readonly object: ChangedObject }) {
  const rows = [
    ...changedMembers(object).map(([name, change]) => ({
      name,
      change,
      reference: referringMember(name),
    })),
    ...Object.entries(object.variables).map(([name, change]) => ({ name, change, variable: name })),
  ];
  if (rows.length === 0) return null;
  return (
    <dl className={classes.diff}>
      {rows.map((row, i) => (
        // A variable may have the name of a member.
        <Row key={i} {...row} />
      ))}
    </dl>
  );
}

interface RowProps {
  readonly name: string;
  readonly change: unknown;
  /** Undefined for a value that is no id. */
  readonly reference?: ReferringMember | undefined;
  /** The key, if it is a variable. */
  readonly variable?: string;
}

const Row = ({ name, change, reference, variable }: RowProps) => (
  <>
    <dt>
      {variable === undefined ? (
        <span className={classes.member}>{memberTitle(name)}</span>
      ) : (
        <VariableKeyLink name={variable} />
      )}
    </dt>
    <dd>
      {variable === undefined && name === 'labels' ? (
        <LabelChange change={change} />
      ) : (
        <ValueChange
          change={change}
          name={variable}
          render={
            reference &&
            ((id) => (typeof id === 'number' ? <Reference member={reference} id={id} /> : 'none'))
          }
        />
      )}
    </dd>
  </>
);

const KINDS: Readonly<Record<ReferringMember, string>> = {
  region_id: 'region',
  cell_id: 'cell',
  cloud_id: 'cloud',
  parent_id: 'device',
};

/** A resource that a member names. One that the preview creates has no page yet. */
function Reference({ member, id }: { readonly member: ReferringMember; readonly id: number }) {
  const created = createdIn(useContext(PreviewContext), KINDS[member], id);
  if (!created) return <MemberReference member={member} id={id} />;
  const { kind, name } = created;
  return hasLevel(kind) ? <LevelMark level={levelOf(kind)}>{name}</LevelMark> : name;
}
