import { Injectable } from '@nestjs/common';
import { Environment } from '../config/environment';
import { ConcurrencyLimiter, sharesOf } from '../core/concurrency';
import type { RequestContext } from '../core/context/request-context';
import { Database, type Queryable } from '../database/database';

/** The maximum of concurrent statistics per process. */
const MAX_STATISTICS = 4;

/**
 * Reads statistics. Each can occupy a processor of the database for seconds, so few run at a time, and the others wait
 * without a connection.
 */
@Injectable()
export class StatisticsReader {
  private readonly limiter: ConcurrencyLimiter;

  constructor(
    private readonly database: Database,
    { DATABASE_POOL_SIZE }: Environment,
  ) {
    const maxConcurrent = Math.max(1, Math.min(MAX_STATISTICS, Math.floor(DATABASE_POOL_SIZE / 4)));
    this.limiter = new ConcurrencyLimiter({
      maxConcurrent,
      queue: { maxLength: 100, timeoutMs: 20_000 },
      message: 'Too many statistics are waiting. Retry later.',
      retryAfterSeconds: 5,
      shares: { ...sharesOf(maxConcurrent), callsName: 'statistics' },
    });
  }

  /**
   * Runs `work` on one snapshot of the database, which keeps the numbers of its statements consistent.
   * @throws InventoryError 503 if too many statistics wait, of all, of the user or of the project, or for too long
   */
  snapshot<T>(ctx: RequestContext, work: (on: Queryable) => Promise<T>): Promise<T> {
    return this.limiter.run(() => this.database.reader(ctx).snapshot(work), { caller: ctx });
  }
}
