import { LevelMark, levelOf } from './level-mark';
import { ResourceLink } from './resource-link';
import { VariableValue } from './variable-value';
import classes from './provenance-chain.module.css';

/** A level that sets a key, as the API explains it. */
export interface ExplainedLevel {
  readonly kind: string;
  readonly id: number;
  readonly name: string | null;
  readonly value: unknown;
  readonly shadowed: boolean;
}

/** The levels that set a key: the winning one first, behind it what it overrides, struck through. */
export function ProvenanceChain({ levels }: { readonly levels: readonly ExplainedLevel[] }) {
  return (
    <ul className={classes.chain}>
      {levels.toReversed().map(({ kind, id, name, value, shadowed }) => (
        <li key={`${kind}/${id}`} className={classes.level}>
          <LevelMark level={levelOf(kind)}>
            <ResourceLink kind={kind} id={id} name={name} />
          </LevelMark>
          <VariableValue value={value} isOverridden={shadowed} />
        </li>
      ))}
    </ul>
  );
}
