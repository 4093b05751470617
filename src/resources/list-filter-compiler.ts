import { Injectable } from '@nestjs/common';
import { visibleProjects, type ProjectScope, type RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors/inventory-error';
import { parseId } from '../core/parse-id';
import { parseBooleanValue } from '../list/list-filter';
import { filterBranch, filterConditions, type UnpagedQuery } from '../list/list-query';
import type { Branch, AccessPath } from '../list/list-request';
import { Database, type Queryable } from '../database/database';
import { and, sql, type Sql } from '../database/sql';
import { from, inScope, readConditions } from '../database/resource-sql';
import type { ResourceShape } from '../database/resource-shape';
import type { FilterPlan } from '../variables/filter/filter-plan';
import { VariableFilters } from '../variables/filter/variable-filters';
import type { ResourceDefinition, ListSelection } from './resource-definition';

/** A listing, as far as selecting from it goes. */
export interface FilterableDefinition extends Pick<ResourceDefinition, 'shape' | 'inheritance' | 'widen'> {
  /** Set where it has resources of several kinds. */
  readonly ofSeveralKinds?: true;
}

/** Turns the filters of a query into what the database is asked for. */
@Injectable()
export class ListFilterCompiler {
  constructor(
    private readonly database: Database,
    private readonly filters: VariableFilters,
  ) {}

  /** @throws InventoryError 400 for a filter that is not well formed, 404 for one by what the caller cannot see */
  async compile(
    ctx: RequestContext,
    listing: FilterableDefinition,
    query: Pick<UnpagedQuery, 'filters' | 'others'>,
    scope: ProjectScope,
    on: Queryable = this.database,
  ): Promise<ListSelection> {
    const conditions = filterConditions(ctx, query);
    const branch = filterBranch(query, scope);
    for (const [{ name, refersTo }, value] of query.filters)
      if (refersTo) await requireVisible(ctx, refersTo, value, name, on);
    const { widen } = listing;
    const wide =
      widen && parseBooleanValue(widen.parameter, query.others.get(widen.parameter)?.[0] ?? 'false');
    const vars = query.others.get('vars') ?? [];
    const ofSeveralKinds = wide === true || listing.ofSeveralKinds === true;
    const plan = await this.filters.plan(ctx, listing, vars, scope, ofSeveralKinds, on);
    // Without conditions a list reads its rows straight from an index, so a condition that is always true must not count.
    const given = [...readConditions(listing.shape, ctx), ...conditions];
    const selection = plan ? withFilters(plan, given, branch) : throughBranch(given, branch);
    return wide === true ? widen.selection(listing.shape, scope, selection) : selection;
  }
}

/** What an index without an order finds is first looked for among the next rows. */
function throughBranch(conditions: readonly Sql[], branch: Branch | undefined): ListSelection {
  if (!branch) return { conditions };
  const way: AccessPath = { branches: [branch], match: and(conditions) };
  return {
    conditions,
    branches: way.branches,
    accessPaths: [way],
    ...(branch.unordered ? { match: way.match } : {}),
  };
}

/** Filters by variables lead; but for them, the branch might. */
function withFilters(
  plan: FilterPlan,
  conditions: readonly Sql[],
  branch: Branch | undefined,
): ListSelection {
  const { branches, match, accessPaths = [] } = plan;
  return {
    conditions: [...conditions, ...plan.conditions],
    branches,
    ...(match ? { match } : {}),
    accessPaths: branch ? [...accessPaths, { branches: [branch], match: and(conditions) }] : accessPaths,
  };
}

async function requireVisible(
  ctx: RequestContext,
  shape: ResourceShape,
  id: string,
  parameter: string,
  on: Queryable,
): Promise<void> {
  const rows = await on.rows(
    sql`SELECT ${from(shape)} WHERE ${inScope(shape, visibleProjects(ctx))} AND t.id = ${parseId(id) ?? 0}`,
  );
  if (rows.length === 0) throw InventoryError.notFound(shape.kind, id, parameter);
}
