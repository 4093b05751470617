import { jsonText } from '../api/exact-json';
import type { components } from '../api/schema';
import classes from './object-diff.module.css';
import { ValueChange } from './value-change';

type ChangedObject = components['schemas']['ChangedObjectView'];

/** Members that change with every write, or that say nothing about a resource that was created or deleted. */
const BOOKKEEPING = new Set(['version', 'updated_at', 'created_at', 'id', 'uuid', 'project_id', 'name']);

/** Members and variables of one resource that a change altered. */
export function ObjectDiff({ object }: { readonly object: ChangedObject }) {
  const rows = [...changedMembers(object), ...Object.entries(object.variables)];
  if (rows.length === 0) return null;
  return (
    <dl className={classes.diff}>
      {rows.map(([name, change], i) => (
        // A variable may have the name of a member.
        <Row key={i} name={name} change={change} />
      ))}
    </dl>
  );
}

/** The members that differ, each with its sides. Those of a new or deleted resource have one side. */
function changedMembers({ before, after }: ChangedObject): [string, unknown][] {
  const names = Object.keys({ ...before, ...after });
  return names
    .filter((name) => !BOOKKEEPING.has(name) || (name === 'name' && before && after))
    .filter((name) => jsonText(before?.[name] ?? null) !== jsonText(after?.[name] ?? null))
    .map((name) => [
      name,
      { ...(before ? { before: before[name] } : {}), ...(after ? { after: after[name] } : {}) },
    ]);
}

const Row = ({ name, change }: { readonly name: string; readonly change: unknown }) => (
  <>
    <dt>{name}</dt>
    <dd>
      <ValueChange change={change} />
    </dd>
  </>
);
