import type { ReactNode } from 'react';
import type { components } from '@muster/api-types';
import { useLocations } from '../api/locations';
import { changedMembers } from './changed-members';
import { CloudName } from './cloud-name';
import { DeviceReference } from './device-reference';
import { LevelMark } from './level-mark';
import classes from './object-diff.module.css';
import { ValueChange } from './value-change';

type ChangedObject = components['schemas']['ChangedObject'];

/** Members and variables of one resource that a change altered. */
export function ObjectDiff({ object }: { readonly object: ChangedObject }) {
  const rows = [
    ...changedMembers(object).map(([name, change]) => ({ name, change, reference: REFERENCES.get(name) })),
    ...Object.entries(object.variables).map(([name, change]) => ({ name, change, reference: undefined })),
  ];
  if (rows.length === 0) return null;
  return (
    <dl className={classes.diff}>
      {rows.map(({ name, change, reference }, i) => (
        // A variable may have the name of a member.
        <Row key={i} name={name} change={change} reference={reference} />
      ))}
    </dl>
  );
}

type Reference = (props: { readonly id: number }) => ReactNode;

/** How the members are shown that name another resource by its id. */
const REFERENCES: ReadonlyMap<string, Reference> = new Map<string, Reference>([
  ['region_id', ({ id }) => <LevelMark level="region">{useLocations().regionName(id)}</LevelMark>],
  ['cell_id', ({ id }) => <LevelMark level="cell">{useLocations().cellTitle(id)}</LevelMark>],
  ['cloud_id', CloudName],
  ['parent_id', DeviceReference],
]);

interface RowProps {
  readonly name: string;
  readonly change: unknown;
  /** Undefined for a value that is no id. */
  readonly reference: Reference | undefined;
}

const Row = ({ name, change, reference: Name }: RowProps) => (
  <>
    <dt>{Name ? name.replace(/_id$/, '') : name}</dt>
    <dd>
      <ValueChange
        change={change}
        render={Name && ((id) => (typeof id === 'number' ? <Name id={id} /> : 'none'))}
      />
    </dd>
  </>
);
