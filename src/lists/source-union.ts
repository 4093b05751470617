import type { ProjectScope } from '../core/context/request-context';
import type { ResourceMapping } from '../database/resource-mapping';
import type { Sql } from '../database/sql';
import type { List } from './list';
import { isIndexRange, type Source } from './selection';

/** Rows that are read in the order of a list: those of several sources that meet conditions. */
export interface SourceUnion {
  readonly mapping: ResourceMapping;
  readonly scope: ProjectScope;
  readonly sources: readonly Source[];
  readonly conditions: readonly Sql[];
}

/** The rows of sources of a list. */
export const unionOf = (
  { mapping }: List,
  scope: ProjectScope,
  { sources, conditions }: Pick<SourceUnion, 'sources' | 'conditions'>,
): SourceUnion => ({ mapping, scope, sources, conditions });

/** The rows of a union that meet further conditions. */
export const restrictUnion = (union: SourceUnion, conditions: readonly Sql[]): SourceUnion => ({
  ...union,
  conditions: [...union.conditions, ...conditions],
});

/**
 * Whether one plan is the best for the few matches of a union, whatever the values are, and the planner keeps to it, because it sees no
 * value for which another plan seems cheaper.
 */
export const hasGenericPlan = ({ sources, conditions }: SourceUnion): boolean =>
  sources.every(
    (source) =>
      isIndexRange(source) ||
      (source.kind === 'blocks' && source.whereForGenericPlan !== undefined && conditions.length === 0),
  );
