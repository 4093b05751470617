import { jsonText } from '../../api/exact-json';
import type { components } from '../../api/schema';
import { ProvenanceChain } from '../../components/provenance-chain';
import { ValueChange } from '../../components/value-change';
import { VariableOrigin } from '../../components/variable-origin';
import classes from './device-page.module.css';

type Explanation = components['schemas']['ExplanationView'];

interface Props {
  readonly name: string;
  /** At the shown time; undefined if the key was not set. */
  readonly then: Explanation | undefined;
  /** Undefined if the key is not set now. */
  readonly now: Explanation | undefined;
}

/** A variable at a time in the past, and what became of it since. */
export function PastVariableRow({ name, then, now }: Props) {
  const isSame = then && now && jsonText(then.value) === jsonText(now.value);
  const change = { ...(then && { before: then.value }), ...(now && { after: now.value }) };
  return (
    <tr data-changed={isSame ? undefined : true}>
      <td className={classes.key}>{name}</td>
      <td>{then ? <ProvenanceChain levels={then.levels} /> : 'not set'}</td>
      <td>{then && <VariableOrigin origin={then.source} />}</td>
      <td>{isSame ? 'same' : <ValueChange change={change} />}</td>
    </tr>
  );
}
