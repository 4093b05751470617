import { Injectable } from '@nestjs/common';
import { type ProjectScope, type RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors';
import { parseId } from '../core/parameters';
import { NULL_VALUE } from '../lists/column-filters';
import { parseBooleanValue } from '../lists/list-filter';
import { filterConditions, filterPaths, type UnpagedQuery } from '../lists/list-query';
import { restrictMatching, selectByConditions, type Selection } from '../lists/selection';
import { Database, type Queryable } from '../database/database';
import { OptionalIndexes } from '../database/optional-indexes';
import { sql } from '../database/sql';
import { from, inScope, readConditions } from '../database/resource-sql';
import { scopeOfResource } from '../database/resource-scope';
import type { ResourceMapping } from '../database/resource-mapping';
import { parseVariableFilters } from '../variables/filter/filter-parameters';
import { VariableFilterCompiler } from '../variables/filter/variable-filter-compiler';
import type { ResourceDefinition } from './resource-definition';

/** The parts of a definition that filters need. */
export interface FilterableDefinition extends Pick<
  ResourceDefinition,
  'mapping' | 'inheritance' | 'expansion'
> {
  /** Set if the list contains resources of several kinds. */
  readonly ofSeveralKinds?: true;
}

/** Compiles the filters of a query to SQL. */
@Injectable()
export class ListFilterCompiler {
  constructor(
    private readonly database: Database,
    private readonly variableFilters: VariableFilterCompiler,
    private readonly indexes: OptionalIndexes,
  ) {}

  /** @throws InventoryError 400 for a malformed filter, 404 for a filter by a resource that the caller cannot see */
  async compile(
    ctx: RequestContext,
    definition: FilterableDefinition,
    query: Pick<UnpagedQuery, 'filters' | 'others'>,
    scope: ProjectScope,
    on: Queryable = this.database,
  ): Promise<Selection> {
    const selection = await this.compileWithoutReferenceCheck(ctx, definition, query, scope, on);
    await this.assertReferencesVisible(ctx, query, on);
    return selection;
  }

  /** @throws InventoryError 404 for a filter by a resource that the caller cannot see */
  async assertReferencesVisible(
    ctx: RequestContext,
    { filters }: Pick<UnpagedQuery, 'filters'>,
    on: Queryable,
  ): Promise<void> {
    for (const [{ name, refersTo, nullable }, value] of filters)
      if (refersTo && !(nullable && value === NULL_VALUE))
        await requireVisible(ctx, refersTo, value, name, on);
  }

  /**
   * Like `compile`, without the check of resources that filters refer to. A list that is not empty needs no such check,
   * if its rows refer to all of these resources: see `hasAlternatives`.
   */
  async compileWithoutReferenceCheck(
    ctx: RequestContext,
    definition: FilterableDefinition,
    query: Pick<UnpagedQuery, 'filters' | 'others'>,
    scope: ProjectScope,
    on: Queryable,
  ): Promise<Selection> {
    // Without conditions a list reads its rows straight from an index, so a condition that is always true must not
    // count.
    const conditions = [...readConditions(definition.mapping, ctx), ...filterConditions(ctx, query, scope)];
    const paths = filterPaths(ctx, query, scope, await this.missingIndexes(query, on));
    const { expansion } = definition;
    const isExpanded =
      expansion &&
      parseBooleanValue(expansion.parameter, query.others.get(expansion.parameter)?.[0] ?? 'false');
    const filters = parseVariableFilters(query.others);
    const ofSeveralKinds = isExpanded === true || definition.ofSeveralKinds === true;
    const matching = await this.variableFilters.select(ctx, definition, filters, scope, ofSeveralKinds, on);
    const selection = matching
      ? restrictMatching(matching, conditions, paths)
      : selectByConditions(conditions, paths);
    return isExpanded === true ? expansion.selection(definition.mapping, scope, selection) : selection;
  }

  /** The indexes of the filters of a query that the database does not have. */
  private async missingIndexes(
    { filters }: Pick<UnpagedQuery, 'filters'>,
    on: Queryable,
  ): Promise<ReadonlySet<string>> {
    const missing = new Set<string>();
    for (const [{ optionalIndex }] of filters)
      if (optionalIndex !== undefined && !(await this.indexes.has(optionalIndex, on)))
        missing.add(optionalIndex);
    return missing;
  }
}

/** Whether a row of a list can meet a filter that refers to resources without referring to all of them. */
export const hasAlternatives = ({ filters }: Pick<UnpagedQuery, 'filters'>): boolean =>
  filters.some(([filter], i) => filter.refersTo && filters.findIndex(([first]) => first === filter) < i);

async function requireVisible(
  ctx: RequestContext,
  mapping: ResourceMapping,
  id: string,
  parameter: string,
  on: Queryable,
): Promise<void> {
  const rows = await on.rows(
    sql`SELECT ${from(mapping)} WHERE ${inScope(mapping, await scopeOfResource(ctx, mapping, parseId(id) ?? 0, on))} AND t.id = ${parseId(id) ?? 0}`,
  );
  if (rows.length === 0) throw InventoryError.notFound(mapping.kind, id, parameter);
}
