import type { ProjectScope } from '../core/context/request-context';
import type { PlanMode } from '../database/database';
import { sql, type Sql } from '../database/sql';
import type { List } from './list';
import { type FilteredSelection, WHOLE_TABLE } from './selection';
import { type SourceUnion, unionOf } from './source-union';
import { planSteps, rangeOf, type StepwisePlan } from './step-plan';

/**
 * How a page is read:
 * - `direct`: one statement reads the rows and finds the previous page. Indexes have the rows in the order of the list, or
 *   the list has no cheaper way.
 * - `query`: a query computes the whole list; its rows are sorted.
 * - `stepwise`: the next rows in the order of the list are checked first. If they are too few, the indexes of the sources
 *   are read, in steps.
 * - `merged`: the positions of each project are read and merged.
 */
export type ListPlan = DirectPlan | QueryPlan | StepwisePlan | MergedPlan;

export interface DirectPlan {
  readonly kind: 'direct';
  readonly list: List;
  readonly rows: SourceUnion;
  readonly mode: PlanMode;
  /** Undefined: the rows are always complete. */
  readonly fallback: Fallback | undefined;
}

/** What is read if a statement finds that its rows are not complete. */
export interface Fallback {
  /** Whether they are not, as an expression. */
  readonly isIncomplete: Sql;
  readonly plan: ListPlan;
}

export interface QueryPlan {
  readonly kind: 'query';
  readonly list: List;
  readonly query: Sql;
  readonly conditions: readonly Sql[];
}

export interface MergedPlan {
  readonly kind: 'merged';
  readonly list: List;
  readonly projects: readonly SourceUnion[];
}

/** Plans how a page is read. */
export function planList(list: List): ListPlan {
  const [first, ...others] = list.selections;
  if (!first || others.length > 0) return planMerged(list);
  const { scope, selection } = first;
  switch (selection.kind) {
    case 'table':
      return planTable(list, scope, selection.conditions);
    case 'sources':
      return planDirect(list, unionOf(list, scope, selection), 'generic');
    case 'filtered':
      return planFiltered(list, scope, selection);
    case 'query':
      return { ...selection, list };
  }
}

function planTable(list: List, scope: ProjectScope, conditions: readonly Sql[]): ListPlan {
  // In id order, the index of a condition has the rows in order.
  if (conditions.length > 0 && list.order.keys.length > 1 && canScan(list, scope))
    return planSteps(list, scope, {
      conditions,
      paths: [{ sources: [WHOLE_TABLE], match: sql`true` }],
      byValues: undefined,
      candidates: undefined,
    });
  return planDirect(list, unionOf(list, scope, { sources: [WHOLE_TABLE], conditions }), 'generic');
}

function planFiltered(list: List, scope: ProjectScope, selection: FilteredSelection): ListPlan {
  const { conditions, paths, inIdOrder, planning } = selection;
  if (inIdOrder && list.order.keys.length === 1) {
    const [isIncomplete] = inIdOrder.flatMap((source) =>
      source.kind === 'look up' ? (source.isIncomplete ?? []) : [],
    );
    const plan = planDirect(list, unionOf(list, scope, { sources: inIdOrder, conditions }), 'generic');
    if (!isIncomplete) return plan;
    const otherwise = planFiltered(list, scope, { ...selection, inIdOrder: undefined });
    return { ...plan, fallback: { isIncomplete, plan: otherwise } };
  }
  const [{ sources }] = paths;
  if (canScan(list, scope) && !isReadInOrderOfRange(list, selection))
    return planSteps(list, scope, selection);
  return planDirect(list, unionOf(list, scope, { sources, conditions }), planning);
}

/** Whether an index has the rows of a project in the order of the list, so that the next rows can be checked. */
function canScan({ mapping, order }: List, scope: ProjectScope): boolean {
  const [first, second] = order.keys.map(({ column }) => column);
  const { sort, naturalSort } = mapping.fields[mapping.nameField] ?? {};
  const isByName = first === sort?.column || first === naturalSort?.column;
  const isIndexOrder = second === undefined || (isByName && second === 't.id');
  return scope !== 'every project' && mapping.idType === 'bigint' && isIndexOrder;
}

/** A range without other conditions is read through its own index, in the order of that index. */
function isReadInOrderOfRange({ order }: List, { conditions, paths: [path] }: FilteredSelection): boolean {
  const range = rangeOf(path);
  return range !== undefined && conditions.length === 1 && range.column === order.keys[0]?.column;
}

const planDirect = (list: List, rows: SourceUnion, mode: PlanMode): DirectPlan => ({
  kind: 'direct',
  list,
  rows,
  mode,
  fallback: undefined,
});

function planMerged(list: List): MergedPlan {
  const projects = list.selections.map(({ scope, selection }): SourceUnion => {
    switch (selection.kind) {
      case 'table':
        return unionOf(list, scope, { ...selection, sources: [WHOLE_TABLE] });
      case 'sources':
        return unionOf(list, scope, selection);
      case 'filtered':
        return unionOf(list, scope, { ...selection, sources: selection.paths[0].sources });
      case 'query': {
        const isMember = sql`t.id IN (SELECT m.id FROM (${selection.query}) m)`;
        const conditions = [...selection.conditions, isMember];
        return unionOf(list, scope, { sources: [WHOLE_TABLE], conditions });
      }
    }
  });
  return { kind: 'merged', list, projects };
}
