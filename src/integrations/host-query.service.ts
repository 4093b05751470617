import { Inject, Injectable } from '@nestjs/common';
import type { RenewContext } from '../http/request-state';
import { allDevices } from '../devices/device-kind';
import { host } from '../devices/kinds/host/host.entity';
import { type FilterableDefinition, ListFilterCompiler } from '../resources/list-filter-compiler';
import type { RequestContext } from '../core/context/request-context';
import { STREAM_LIMITS, type StreamLimits } from '../http/streamed-response';
import { restrict, selectionStatement } from '../lists/selection';
import { Database, type Queryable } from '../database/database';
import { arrayParameter, sql, type Sql } from '../database/sql';
import { ConcurrencyLimiter, sharesOf } from '../core/concurrency';
import { targetColumns, VariableResolver } from '../variables/variable-resolver';
import { adaptiveChunks, inChunks } from '../database/chunks';
import { from, inScope } from '../database/resource-sql';
import type { LevelSet, ResolutionTarget } from '../variables/levels';
import { selectingParameters } from '../resources/resource-definition';
import type { QueryParameters } from '../core/parameters';
import { parseBooleanValue } from '../lists/list-filter';
import { parseUnpagedQuery, type ListParameters, type UnpagedQuery } from '../lists/list-query';

type Row = Record<string, unknown>;

/** Devices of all kinds, with the filters of hosts. */
const devices: FilterableDefinition = { ...allDevices, ofSeveralKinds: true };

/** A host, and the levels that its variables resolve from. */
export interface HostWithLevels<R extends Row> {
  readonly row: R & ResolutionTarget;
  readonly levels: LevelSet;
}

const CHUNK_ROWS = 2_000;

/** Reads the selected hosts of a project from one snapshot. Only a chunk of them is in memory at a time. */
export class HostQuery {
  constructor(
    /** The current context of the caller. */
    readonly ctx: RequestContext,
    private readonly resolver: VariableResolver,
    readonly on: Queryable,
    /** A query for columns of the selected hosts `t`. */
    private readonly selected: (columns: Sql) => Sql,
  ) {}

  /**
   * Reads hosts with their levels, in the order of their ids.
   * @param columns of `t`, in addition to those for resolving
   */
  async *readHosts<R extends Row>(columns: Sql): AsyncGenerator<HostWithLevels<R>> {
    const ids = sql`SELECT m.id FROM (${this.selected(sql`t.id`)}) AS m ORDER BY m.id`;
    const readChunk = (chunk: readonly number[]) =>
      this.on.rows<
        R & ResolutionTarget & Row
      >(sql`SELECT ${targetColumns(host.definition.inheritance)}, ${columns}
        ${from(host.mapping)} WHERE t.project_id = ${this.ctx.projectId} AND t.id = ANY(${arrayParameter(chunk)}::bigint[])
        ORDER BY t.id`);
    for await (const rows of adaptiveChunks(
      this.on,
      ids,
      readChunk,
      ({ own_variables: own }) => own.length,
    )) {
      // A read-only snapshot sees only committed data, so the level cache can be used.
      const levels = await this.resolver.readLevelSet(this.ctx, rows, this.on, undefined, true);
      for (const row of rows) yield { row, levels };
    }
  }

  /** Reads hosts without their variables. @param rest the end of the statement, after the hosts `t` */
  async *readRows<R extends Row>(columns: Sql, rest: Sql): AsyncGenerator<R> {
    const statement = sql`SELECT ${columns} FROM (${this.selected(sql`t.*`)}) AS t ${rest}`;
    for await (const chunk of inChunks<R>(this.on, statement, CHUNK_ROWS)) yield* chunk;
  }
}

/** The caller of a query for hosts. */
export interface HostQueryCaller {
  readonly ctx: RequestContext;
  /** Creates the context again after waiting in the queue, because keys can expire and roles can change meanwhile. */
  readonly renew: RenewContext;
  /** Called when the query is queued. The request then releases its slot of `MAX_IN_FLIGHT`. */
  readonly releaseSlot: () => void;
}

interface HostQueryOptions {
  readonly selection: HostSelection;
  /** Further conditions over `t`. */
  readonly conditions?: readonly Sql[];
  /** The kinds of devices that are read instead of hosts. */
  readonly kinds?: readonly string[];
}

/**
 * Runs queries for hosts on behalf of other programs. A query holds a database connection until its client has received
 * the response, so the number of concurrent queries is limited. Further queries are queued: many can arrive at once,
 * because every job of a pipeline starts by reading the inventory, and most are short.
 */
@Injectable()
export class HostQueryService {
  private readonly limiter: ConcurrencyLimiter;

  constructor(
    private readonly database: Database,
    private readonly selections: ListFilterCompiler,
    private readonly resolver: VariableResolver,
    @Inject(STREAM_LIMITS) limits: StreamLimits,
  ) {
    this.limiter = new ConcurrencyLimiter({
      maxConcurrent: limits.maxHostQueries,
      queue: { maxLength: 200, timeoutMs: 20_000 },
      message: 'Too many inventory queries are waiting. Retry later.',
      retryAfterSeconds: 5,
      shares: { ...sharesOf(limits.maxHostQueries), callsName: 'inventory queries' },
    });
  }

  /**
   * Reads selected hosts of the project, from one consistent snapshot.
   * @param disconnected aborted when the client disconnects
   * @throws InventoryError 400, 404 if a filter references a resource that the caller may not see, 503 if the queue is
   *   full or the query waited too long; 401, 403 or 409 if the caller lost access while the query was queued
   */
  async run<T>(
    caller: HostQueryCaller,
    disconnected: AbortSignal,
    { selection: hostSelection, conditions: furtherConditions = [], kinds }: HostQueryOptions,
    work: (hosts: HostQuery) => Promise<T>,
  ): Promise<T> {
    const definition = kinds ? devices : host.definition;
    const ofKinds = kinds ? [sql`t.kind = ANY(${arrayParameter(kinds)}::text[])`] : [];
    return this.runInSnapshot(caller, disconnected, async (ctx, on) => {
      const scope = { project: ctx.projectId };
      const selection = await this.selections.compile(ctx, definition, hostSelection.filters, scope, on);
      const activeCondition = hostSelection.activeOnly ? [sql`t.active`] : [];
      const active = restrict(selection, [...activeCondition, ...ofKinds, ...furtherConditions]);
      const selected = (columns: Sql) => selectionStatement(definition.mapping, scope, active, columns);
      return work(new HostQuery(ctx, this.resolver, on, selected));
    });
  }

  /**
   * Reads from one consistent snapshot, with the same limits as `run`.
   * @throws InventoryError 503 if the queue is full or the query waited too long; 401, 403 or 409 if the caller lost access while
   *   the query was queued
   */
  async runInSnapshot<T>(
    caller: HostQueryCaller,
    disconnected: AbortSignal,
    work: (ctx: RequestContext, on: Queryable) => Promise<T>,
  ): Promise<T> {
    const query = async (wasQueued: boolean): Promise<T> => {
      const ctx = wasQueued ? await caller.renew() : caller.ctx;
      return this.database.longSnapshot((on) => work(ctx, on));
    };
    return this.limiter.run(query, {
      caller: caller.ctx,
      signal: disconnected,
      onQueued: caller.releaseSlot,
    });
  }

  /**
   * Resolves the variables of one host of the project, as JSON text.
   * @returns undefined if the host does not exist
   */
  async resolveVariables(ctx: RequestContext, name: string): Promise<string | undefined> {
    const { mapping, inheritance } = host.definition;
    const reader = this.database.reader(ctx);
    const columns = targetColumns(inheritance, undefined, { withRowVersions: true });
    const hosts = await reader.rows<ResolutionTarget & Row>(
      sql`SELECT ${columns} ${from(mapping)} WHERE ${inScope(mapping, { project: ctx.projectId })} AND t.name = ${name}`,
    );
    const [variables] = await this.resolver.resolve(ctx, hosts, reader);
    return variables;
  }
}

/** The hosts that a request selects. */
export interface HostSelection {
  readonly filters: Pick<UnpagedQuery, 'filters' | 'others'>;
  /** Whether inactive hosts are excluded, in addition to the filters. */
  readonly activeOnly: boolean;
}

const hostParameters = selectingParameters(host.definition);

/**
 * Parses the filters of hosts and other parameters. Inactive hosts are excluded, unless the request has `active=false`,
 * or `inactive=true` if the endpoint accepts it.
 * @param others the parameters that the endpoint accepts in addition to the filters
 * @throws InventoryError 400
 */
export function parseHostSelection(
  query: QueryParameters,
  others: ListParameters['others'],
): { readonly selection: HostSelection; readonly others: ReadonlyMap<string, readonly string[]> } {
  const parameters: ListParameters = { ...hostParameters, others: [...others, ...hostParameters.others] };
  const parsed = parseUnpagedQuery(query, parameters, 'array');
  // With `active=true` and `descendants=true`, `activeOnly` also excludes inactive descendants.
  const selectsInactive = parsed.filters.some(([{ name }, value]) => name === 'active' && value === 'false');
  const includesInactive = parseBooleanValue('inactive', parsed.others.get('inactive')?.[0] ?? 'false');
  return {
    selection: { filters: parsed, activeOnly: !selectsInactive && !includesInactive },
    others: parsed.others,
  };
}
