import { Inject, Injectable } from '@nestjs/common';
import type { RenewContext } from '../../http/request-state';
import { host } from '../../devices/kinds/host/host';
import { ListFilterCompiler } from '../../resources/list-filter-compiler';
import type { RequestContext } from '../../core/context/request-context';
import { STREAM_LIMITS, type StreamLimits } from '../../http/streamed-response';
import { membersStatement } from '../../list/page-statements';
import { Database } from '../../database/database';
import { sql, type Sql } from '../../database/sql';
import { ConcurrencyLimiter } from '../../core/concurrency-limiter';
import { VariableResolver } from '../../variables/variable-resolver';
import type { HostChoice } from './host-selection';
import { HostReading } from './host-query';

/** The caller of a query for hosts. */
export interface Asker {
  readonly ctx: RequestContext;
  /** Creates the context again after waiting in the queue, because keys can expire and roles can change meanwhile. */
  readonly renew: RenewContext;
  /** Called when the query is queued. The request then releases its slot of `MAX_IN_FLIGHT`. */
  readonly stepAside: () => void;
}

interface HostQueryOptions {
  readonly choice: HostChoice;
  /** Further conditions over `t`. */
  readonly also?: readonly Sql[];
}

/**
 * Runs queries for hosts on behalf of other programs. A query holds a database connection until its client has received
 * the response, so the number of concurrent queries is limited. Further queries are queued: many can arrive at once,
 * because every job of a pipeline starts by reading the inventory, and most are short.
 */
@Injectable()
export class HostReadings {
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
      message: 'Too many are reading the inventory. Try again.',
      retryAfterSeconds: 5,
    });
  }

  /**
   * Reads selected hosts of the project, from one consistent snapshot.
   * @param gone aborted when the client disconnects
   * @throws InventoryError 400, 404 if a filter references a resource that the caller may not see, 503 if the queue is
   *   full or the query waited too long; 401 or 403 if the caller lost access while the query was queued
   */
  async read<T>(
    asker: Asker,
    gone: AbortSignal,
    { choice: hostSelection, also = [] }: HostQueryOptions,
    work: (hosts: HostReading) => Promise<T>,
  ): Promise<T> {
    const { shape } = host;
    const reading = async (wasQueued: boolean): Promise<T> => {
      const ctx = wasQueued ? await asker.renew() : asker.ctx;
      const scope = { project: ctx.projectId };
      return this.database.longSnapshot(async (on) => {
        const selection = await this.selections.compile(ctx, host.listing, hostSelection.filters, scope, on);
        const activeCondition = hostSelection.activeOnly ? [sql`t.active`] : [];
        const conditions = [...selection.conditions, ...activeCondition, ...also];
        const members = membersStatement({ shape, scope, ...selection, conditions });
        return work(new HostReading(ctx, this.resolver, on, members));
      });
    };
    return this.limiter.run(reading, { signal: gone, onQueued: asker.stepAside });
  }
}
