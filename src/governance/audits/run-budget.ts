import { nextEventLoopTurn } from '../../core/concurrency';
import { InventoryError } from '../../core/errors';
import { TimeBudget } from '../../core/time-budget';
import { postgresError } from '../../database/errors/postgres-error';
import type { Queryable } from '../../database/database';
import { sql } from '../../database/sql';

/** An audit of a million devices takes a few seconds. */
const RUN_TIMEOUT_MS = 30_000;

/** The time of one run of an audit. */
export class RunBudget extends TimeBudget {
  constructor(disconnected: AbortSignal, timeoutMs = RUN_TIMEOUT_MS) {
    super(disconnected, timeoutMs);
  }

  /**
   * Lets the event loop run other work.
   * @throws InventoryError 405 if the run exceeded its timeout, 503 if the client disconnected
   */
  async yieldToEventLoop(): Promise<void> {
    await nextEventLoopTurn();
    this.remaining();
  }

  /**
   * Sets the statement timeout of a transaction to the remaining time, if that is less than the configured timeout.
   * @throws InventoryError 405 if the run exceeded its timeout, 503 if the client disconnected
   */
  async limitStatements(on: Queryable): Promise<void> {
    await on.rows(sql`
      SELECT set_config('statement_timeout', least(nullif(setting::int, 0), ${this.remaining()}::int)::text, true)
      FROM pg_settings WHERE name = 'statement_timeout'`);
  }

  private remaining(): number {
    if (!this.hasTime()) throw runTimeout();
    return Math.ceil(this.remainingMs);
  }
}

/** Converts the cancellation of a statement (57014, `query_canceled`) into the timeout error of the run. */
export async function convertRunTimeout<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (postgresError(error)?.code === '57014') throw runTimeout();
    throw error;
  }
}

const runTimeout = (): InventoryError =>
  InventoryError.validationException(
    'expectation',
    'limit_exceeded',
    `the audit run exceeded its timeout (${String(RUN_TIMEOUT_MS / 1_000)} s): target fewer devices with kind, vars or where, or limit the run with region_id or cell_id`,
  );
