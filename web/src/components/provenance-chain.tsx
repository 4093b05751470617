import { LevelLink } from './level-link';
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

interface Props {
  /** The key. */
  readonly name: string;
  /** Broadest first. */
  readonly levels: readonly ExplainedLevel[];
}

/** The levels that set a key: the winning one first, behind it what it overrides, struck through. */
export function ProvenanceChain({ name: key, levels }: Props) {
  return (
    <ul className={classes.chain}>
      {levels.toReversed().map(({ kind, id, name, value, shadowed }) => (
        <li key={`${kind}/${id}`} className={classes.level}>
          <LevelLink kind={kind} id={id} name={name} />
          <VariableValue value={value} isOverridden={shadowed} name={key} />
        </li>
      ))}
    </ul>
  );
}
