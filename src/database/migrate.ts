import { setTimeout as delay } from 'node:timers/promises';
import { MigrationExecutor, type DataSource, type MigrationInterface } from 'typeorm';
import { isDatabaseUnavailable, isLockTimeout, isRetryable, postgresError } from './errors/postgres-error';
import { StartupError } from '../core/errors/startup-error';
import { withConnection, connectionErrorMessage } from './connection/admin-connection';
import type { ConnectionRole, Connection } from './connection/connection';
import { recordRestore } from './restore-epoch';

/** The state of a database's schema against the migrations that this program knows. */
export interface SchemaStatus {
  readonly applied: readonly string[];
  readonly pending: readonly string[];
  /** Applied by a newer program. */
  readonly unknown: readonly string[];
}

/** PostgreSQL's word for what a role may not do. */
const INSUFFICIENT_PRIVILEGE = '42501';

/** The advisory lock of migrations. Every version of Muster uses the same number. */
export const MIGRATION_LOCK = 7_780_000;

async function statusOf(dataSource: DataSource): Promise<SchemaStatus> {
  const known = dataSource.migrations.map(nameOf);
  const runner = dataSource.createQueryRunner();
  try {
    const exists = await runner.hasTable('migrations');
    const executed = exists ? await new MigrationExecutor(dataSource, runner).getExecutedMigrations() : [];
    // TypeORM lists the newest first.
    const applied = executed.map((migration) => migration.name).reverse();
    return {
      applied,
      pending: known.filter((name) => !applied.includes(name)),
      unknown: applied.filter((name) => !known.includes(name)),
    };
  } finally {
    await runner.release();
  }
}

const nameOf = (migration: MigrationInterface): string => migration.name ?? migration.constructor.name;

/** Which migrations the database has and lacks, as far as the login can see them. */
export function schemaStatus(connection: Connection, as: ConnectionRole = 'owner'): Promise<SchemaStatus> {
  return withConnection(as, connection, statusOf);
}

/**
 * Brings the schema up to this program's version: all that is pending, or, interrupted wherever, nothing. Of two that
 * start at once, one migrates and the other waits.
 * @returns the names of the migrations that were run
 * @throws StartupError if the database cannot be reached, its schema is newer than the program, or it cannot be migrated
 *   by this login, or not now
 */
export function migrate(connection: Connection): Promise<string[]> {
  const work = async (dataSource: DataSource): Promise<string[]> => {
    const guard = dataSource.createQueryRunner();
    await guard.query('SET lock_timeout = 0');
    await guard.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    try {
      const status = await statusOf(dataSource);
      refuseNewer(status);
      const run = status.pending.length === 0 ? [] : await runPending(dataSource);
      await recordRestore(guard);
      return run;
    } catch (error) {
      throw refusalOf(error);
    } finally {
      // The lock is one of this connection, which may have ended, and the lock with it.
      await guard.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
      await guard.release();
    }
  };
  return withConnection('owner', connection, work, false);
}

/** So often a lock is waited for, each time for as long as a request would: who waits for it keeps all others from it. */
const MAX_TRIES = 12;
/** The pause between attempts, in milliseconds, in which blocked statements continue. */
const PAUSE_MS = 2_000;

async function runPending(dataSource: DataSource): Promise<string[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return (await dataSource.runMigrations()).map((migration) => migration.name);
    } catch (error) {
      const said = postgresError(error);
      if (!said || !(isLockTimeout(said) || isRetryable(said)) || attempt === MAX_TRIES) throw error;
      await delay(PAUSE_MS);
    }
  }
}

/** The message of a failed migration. */
function refusalOf(error: unknown): unknown {
  const said = postgresError(error);
  if (said && (isLockTimeout(said) || isRetryable(said)))
    return new StartupError(
      'The database was not migrated: others use its tables all the time. Stop what writes, and what reads for long, and start again.',
      { cause: error },
    );
  if (said?.code === INSUFFICIENT_PRIVILEGE)
    return new StartupError(
      `The database has to be migrated, and this login may not: ${said.message}. Name the owner of the tables in ` +
        'DATABASE_OWNER_URL, or run "muster-admin migrate" as the owner.',
      { cause: error },
    );
  if (isDatabaseUnavailable(error))
    return new StartupError(
      `The database was lost while it was migrated: ${connectionErrorMessage(error)}. Nothing was migrated by halves: start again.`,
      { cause: error },
    );
  if (said)
    return new StartupError(
      `Nothing was migrated, for the database refuses: ${[said.message, said.detail].filter(Boolean).join('; ')}.`,
      { cause: error },
    );
  return error;
}

/** @throws StartupError if the schema is not just what this program works with */
export async function requireMigrated(connection: Connection, as: ConnectionRole = 'owner'): Promise<void> {
  const status = await schemaStatus(connection, as);
  refuseNewer(status);
  if (status.pending.length === 0) return;
  throw new StartupError(
    status.applied.length === 0
      ? 'The database has no schema yet: run "muster-admin bootstrap" for a first project and user, or "muster-admin migrate".'
      : `The database's schema is older than this program: run "muster-admin migrate" (it lacks ${status.pending.join(', ')}).`,
  );
}

function refuseNewer({ unknown }: SchemaStatus): void {
  if (unknown.length === 0) return;
  throw new StartupError(
    `The database's schema is newer than this program: it has ${unknown.join(', ')}. Start a newer Muster.`,
  );
}
