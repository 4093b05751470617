import { Injectable } from '@nestjs/common';
import { coalesce, resultWithin } from '../core/concurrency';
import { InventoryError } from '../core/errors';
import { isStatementTimeout } from '../database/errors/postgres-error';
import { DatabaseWatchdog } from '../database/health/database-watchdog';
import { sql } from '../database/sql';
import { migrations } from '../migrations';
import { ShutdownState } from './shutdown-state';

/** The timeout of a query for the readiness, in milliseconds. */
export const READINESS_TIMEOUT_MS = 1_500;

const notReady = (why: string): InventoryError =>
  new InventoryError('unavailable', why, [], { 'retry-after': '5' });

/** Whether the service can handle requests, for `/readyz` and for the metrics. */
@Injectable()
export class Readiness {
  /** Concurrent callers share one query. */
  private readonly isMigrated = coalesce(async () => {
    const newest = new (migrations.at(-1) ?? migrations[0])().name;
    const query = sql`SELECT EXISTS (SELECT FROM migrations WHERE name = ${newest}) AS is_there`;
    return this.watchdog.query<{ is_there: boolean }>(query);
  });

  constructor(
    private readonly watchdog: DatabaseWatchdog,
    private readonly ending: ShutdownState,
  ) {}

  /** @throws InventoryError 503 with the reason, or the error of the database, if the service is not ready */
  async check(): Promise<void> {
    if (this.ending.isAnnounced) throw notReady('The service is about to stop.');
    if (this.watchdog.isUnresponsive) throw notReady('The database does not respond.');
    const migration = await resultWithin(this.isMigrated(), READINESS_TIMEOUT_MS).catch((error: unknown) => {
      // The database responds, but not to this query: it is being restored or migrated, for example.
      if (isStatementTimeout(error)) throw notReady('The database is busy.');
      throw error;
    });
    if (!migration) throw notReady('The database does not respond.');
    if (!migration.is_there) throw notReady('The database is not migrated.');
  }
}
