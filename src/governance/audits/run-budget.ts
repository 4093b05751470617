import { setImmediate as others } from 'node:timers/promises';
import { InventoryError } from '../../core/errors/inventory-error';
import { postgresError } from '../../database/errors/postgres-error';
import type { Queryable } from '../../database/database';
import { sql } from '../../database/sql';

/** In milliseconds. A million devices take a few seconds. */
const TIME_TO_RUN = 30_000;

/** The time that one run of an audit may take: it ends earlier when its client leaves. */
export class RunTime {
  private readonly until: number;

  constructor(
    private readonly gone: AbortSignal,
    milliseconds = TIME_TO_RUN,
  ) {
    this.until = performance.now() + milliseconds;
  }

  /**
   * Lets the process do its other work.
   * @throws InventoryError 405 if the time is over, 503 if the client has left
   */
  async pause(): Promise<void> {
    await others();
    this.left();
  }

  /**
   * Lets no statement of a transaction take longer than there is time left, nor than any statement may.
   * @throws InventoryError as `pause` does
   */
  async limit(on: Queryable): Promise<void> {
    await on.rows(sql`
      SELECT set_config('statement_timeout', least(nullif(setting::int, 0), ${this.left()}::int)::text, true)
      FROM pg_settings WHERE name = 'statement_timeout'`);
  }

  private left(): number {
    // Nobody hears it.
    if (this.gone.aborted) throw new InventoryError('unavailable', 'The client has left.');
    const left = Math.ceil(this.until - performance.now());
    if (left <= 0) throw tookTooLong();
    return left;
  }
}

/** Says of a statement that was ended by the time of its run that this is why. */
export async function withinRunTime<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (postgresError(error)?.code === '57014') throw tookTooLong();
    throw error;
  }
}

const tookTooLong = (): InventoryError =>
  InventoryError.forbiddenByInventory(
    'expectation',
    'it takes too long to hold so many values against this: name fewer devices, by kind or vars',
  );
