import type { ReactNode } from 'react';
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
  /** What can be done with the value of a level; null: nothing. */
  readonly action?: (level: ExplainedLevel) => ReactNode;
}

/** The levels that set a key: the winning one first, behind it what it overrides, struck through. */
export function ProvenanceChain({ name: key, levels, action }: Props) {
  return (
    <ul className={classes.chain}>
      {levels.toReversed().map((level) => (
        <li key={`${level.kind}/${level.id}`} className={classes.level}>
          <LevelLink kind={level.kind} id={level.id} name={level.name} />
          <VariableValue value={level.value} isOverridden={level.shadowed} name={key} />
          {action?.(level)}
        </li>
      ))}
    </ul>
  );
}
