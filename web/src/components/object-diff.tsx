import { Text } from '@mantine/core';
import type { components } from '@muster/api-types';
import { kindWords } from '../api/kinds';
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

/**
 * Members and variables of one resource that a change altered. Of a resource from which devices inherit, and of a device, it says that
 * these are its own values: what devices resolve may be others.
 */
export function ObjectDiff({ object }: { readonly object: ChangedObject }) {
  const { kind, name: resource } = object;
  const members = changedMembers(object).map(([name, change]) => ({
    name,
    change,
    reference: referringMember(name),
  }));
  const variables = Object.entries(object.variables).map(([name, change]) => ({
    name,
    change,
    variable: name,
  }));
  return (
    <>
      <Rows rows={members} />
      {variables.length > 0 && hasLevel(kind) && (
        <Text size="xs" c="dimmed" mt={4}>
          {variables.length === 1 ? 'Own value' : 'Own values'} of {kindWords(kind)} {resource}
        </Text>
      )}
      <Rows rows={variables} />
    </>
  );
}

const Rows = ({ rows }: { readonly rows: readonly RowProps[] }) =>
  rows.length > 0 && (
    <dl className={classes.diff}>
      {rows.map((row) => (
        <Row key={row.name} {...row} />
      ))}
    </dl>
  );

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
