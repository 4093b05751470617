import { Inject, Injectable } from '@nestjs/common';
import type { RenewContext } from '../../auth/access.decorators';
import { host } from '../../devices/kinds/host/host';
import { Selections } from '../../resources/list-filter-compiler';
import type { RequestContext } from '../../core/context/request-context';
import { STREAM_LIMITS, type StreamLimits } from '../../http/streamed-response';
import { membersStatement } from '../../list/page-statements';
import { Database } from '../../database/database';
import { sql, type Sql } from '../../database/sql';
import { ConcurrencyLimiter } from '../../core/concurrency-limiter';
import { VariableResolver } from '../../variables/variable-resolver';
import type { HostChoice } from './host-selection';
import { HostReading } from './host-query';

/** Who asks for hosts. */
export interface Asker {
  readonly ctx: RequestContext;
  /** Keys end and rights change while somebody waits for a turn. */
  readonly renew: RenewContext;
  /** Called when he begins to wait in line: there he is counted, and need not be among those who are served. */
  readonly stepAside: () => void;
}

/**
 * Reads hosts for the programs of others. Each such reading keeps a connection for as long as its client takes, so there
 * are few at a time. Many may come at once (every job of a pipeline begins with the inventory), and most are short: they
 * wait in line.
 */
@Injectable()
export class HostReadings {
  private readonly limiter: ConcurrencyLimiter;

  constructor(
    private readonly database: Database,
    private readonly selections: Selections,
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
   * Reads chosen hosts of the project of the request, on one state of it.
   * @param gone tells when the client has left
   * @param also what has to hold of them as well, over `t`
   * @throws InventoryError 400, 404 for a filter by what the caller cannot see, 503 if too many wait for their turn; 401 or
   *   403 for who may not ask any more when it is his turn
   */
  async read<T>(
    asker: Asker,
    gone: AbortSignal,
    { choice, also = [] }: { readonly choice: HostChoice; readonly also?: readonly Sql[] },
    work: (hosts: HostReading) => Promise<T>,
  ): Promise<T> {
    const { shape } = host;
    const reading = async (wasQueued: boolean): Promise<T> => {
      const ctx = wasQueued ? await asker.renew() : asker.ctx;
      const scope = { project: ctx.projectId };
      return this.database.longSnapshot(async (on) => {
        const selection = await this.selections.of(ctx, host.listing, choice.filters, scope, on);
        const only = choice.activeOnly ? [sql`t.active`] : [];
        const conditions = [...selection.conditions, ...only, ...also];
        const members = membersStatement({ shape, scope, ...selection, conditions });
        return work(new HostReading(ctx, this.resolver, on, members));
      });
    };
    return this.limiter.run(reading, { signal: gone, onQueued: asker.stepAside });
  }
}
