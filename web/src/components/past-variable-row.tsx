import type { ReactNode } from 'react';
import { jsonText } from '../api/exact-json';
import { ProvenanceChain, type ExplainedLevel } from './provenance-chain';
import { ResourceLink } from './resource-link';
import { ValueChange } from './value-change';
import classes from './variables-table.module.css';

/** A value at a time; undefined if the key was not set. */
type Side = { readonly value: unknown } | undefined;

interface Props {
  readonly name: string;
  /** The levels that set it at the shown time, broadest first. */
  readonly levels: readonly ExplainedLevel[];
  /** Who had set it, when and why. */
  readonly origin: ReactNode;
  readonly then: Side;
  readonly now: Side;
}

/** A variable at a time in the past, and what became of it since. */
export function PastVariableRow({ name, levels, origin, then, now }: Props) {
  const isSame = then && now && jsonText(then.value) === jsonText(now.value);
  const change = { ...(then && { before: then.value }), ...(now && { after: now.value }) };
  return (
    <tr>
      <td className={classes.key}>
        <ResourceLink kind="variable-key" id={null} name={name} />
      </td>
      <td>{then ? <ProvenanceChain name={name} levels={levels} /> : 'not set'}</td>
      <td>{origin}</td>
      <td className={classes.since}>
        {isSame ? <span className={classes.same}>same</span> : <ValueChange change={change} name={name} />}
      </td>
    </tr>
  );
}
