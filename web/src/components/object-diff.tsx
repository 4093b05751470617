import type { ReactNode } from 'react';
import type { components } from '@muster/api-types';
import { useLocations } from '../api/locations';
import { changedMembers } from './changed-members';
import { CloudName } from './cloud-name';
import { DeviceReference } from './device-reference';
import { LevelLink } from './level-link';
import classes from './object-diff.module.css';
import { ResourceLink } from './resource-link';
import { ValueChange } from './value-change';

type ChangedObject = components['schemas']['ChangedObject'];

/** Members and variables of one resource that a change altered. */
export function ObjectDiff({ object }: { readonly object: ChangedObject }) {
  const rows = [
    ...changedMembers(object).map(([name, change]) => ({ name, change, reference: REFERENCES.get(name) })),
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

type Reference = (props: { readonly id: number }) => ReactNode;

/** How the members are shown that name another resource by its id. */
const REFERENCES: ReadonlyMap<string, Reference> = new Map<string, Reference>([
  ['region_id', ({ id }) => <LevelLink kind="region" id={id} name={useLocations().regionName(id)} />],
  ['cell_id', ({ id }) => <LevelLink kind="cell" id={id} name={useLocations().cellTitle(id)} />],
  ['cloud_id', CloudName],
  ['parent_id', DeviceReference],
]);

interface RowProps {
  readonly name: string;
  readonly change: unknown;
  /** Undefined for a value that is no id. */
  readonly reference?: Reference | undefined;
  /** The key, if it is a variable. */
  readonly variable?: string;
}

const Row = ({ name, change, reference: Name, variable }: RowProps) => (
  <>
    <dt>
      {variable === undefined ? (
        name.replace(Name ? /_id$/ : '', '')
      ) : (
        <ResourceLink kind="variable-key" id={null} name={variable} />
      )}
    </dt>
    <dd>
      <ValueChange
        change={change}
        name={variable}
        render={Name && ((id) => (typeof id === 'number' ? <Name id={id} /> : 'none'))}
      />
    </dd>
  </>
);
