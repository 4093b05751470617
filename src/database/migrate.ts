import { setTimeout as delay } from 'node:timers/promises';
import { MigrationExecutor, type DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import {
  connectionErrorMessage,
  isDatabaseUnavailable,
  isLockTimeout,
  isReadOnly,
  isRetryable,
  postgresError,
} from './errors/postgres-error';
import { StartupError } from '../core/errors';
import { withConnection } from './connection/owner-connection';
import type { ConnectionRole, Connection } from './connection/connection';
import { prepareMigrations } from './citus/distribute-tables';
import { recordRestore } from './citus/record-restore';

/** The migrations of a database, compared with the migrations of this program. */
export interface SchemaStatus {
  readonly applied: readonly string[];
  readonly pending: readonly string[];
  /** Applied by a newer program. */
  readonly unknown: readonly string[];
}

const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * The first and the last of the sixteen migrations before the first release. Together they made the schema that the first
 * migration makes now. A database that has them is not migrated, but its backup can be restored.
 */
export const UNRELEASED = { first: 'Inventory1763600000000', last: 'Collations1764930000000' };

const SEE_DOCUMENTATION = 'See "Databases from before the first release" in docs/operations.md.';

/** The advisory lock of migrations. Every version of Muster uses the same number. */
export const MIGRATION_LOCK = 7_780_000;

async function statusOf(dataSource: DataSource): Promise<SchemaStatus> {
  const known = dataSource.migrations.map(nameOf);
  const runner = dataSource.createQueryRunner();
  try {
    const exists = await hasOwnMigrations(runner);
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

/**
 * Whether the database has migrations of Muster. Many programs have a table with this name. Muster's has the columns of
 * TypeORM, and is beside the table of change records, unless nothing has been migrated yet.
 * @throws StartupError if another program has the table
 */
async function hasOwnMigrations(runner: QueryRunner): Promise<boolean> {
  const [found] = (await runner.query(`
    SELECT to_regclass('changes') IS NOT NULL AS "hasRecords",
      (SELECT array_agg(attname::text ORDER BY attnum) FROM pg_attribute
        WHERE attrelid = to_regclass('migrations') AND attnum > 0 AND NOT attisdropped) AS columns`)) as {
    hasRecords: boolean;
    columns: string[] | null;
  }[];
  if (!found?.columns) return false;
  const isOfTypeOrm = found.columns.join() === 'id,timestamp,name';
  if (isOfTypeOrm && (found.hasRecords || (await isEmpty(runner, 'migrations')))) return true;
  throw new StartupError(
    'The database has a table "migrations" of another program: Muster needs a database of its own, or DATABASE_URL names the wrong one. Nothing was changed.',
  );
}

async function isEmpty(runner: QueryRunner, table: string): Promise<boolean> {
  return ((await runner.query(`SELECT FROM ${table} LIMIT 1`)) as unknown[]).length === 0;
}

const nameOf = (migration: MigrationInterface): string => migration.name ?? migration.constructor.name;

/** The applied and the pending migrations, as far as the login can see them. */
export function schemaStatus(connection: Connection, as: ConnectionRole = 'owner'): Promise<SchemaStatus> {
  return withConnection(as, connection, statusOf);
}

/**
 * Runs all pending migrations in one transaction. Of two processes that start at the same time, one migrates and the
 * other one waits.
 * @returns the names of the migrations that were run
 * @throws StartupError if the database cannot be reached, its schema is unknown to the program, or the migration fails
 */
export function migrate(connection: Connection): Promise<string[]> {
  const work = async (dataSource: DataSource): Promise<string[]> => {
    const lockRunner = dataSource.createQueryRunner();
    await lockRunner.query('SET lock_timeout = 0');
    await lockRunner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    try {
      const status = await statusOf(dataSource);
      assertKnown(status);
      const run = status.pending.length === 0 ? [] : await runPending(dataSource);
      await recordRestore(lockRunner);
      return run;
    } catch (error) {
      throw toStartupError(error);
    } finally {
      // If the connection was lost, the lock was released with it.
      await lockRunner.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
      await lockRunner.release();
    }
  };
  return withConnection('owner', connection, work, false);
}

/** Attempts are short, because statements of requests queue behind a migration that waits for a lock. */
const MAX_TRIES = 12;
/** The pause between attempts, in milliseconds, in which blocked statements continue. */
const PAUSE_MS = 2_000;

async function runPending(dataSource: DataSource): Promise<string[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runOnce(dataSource);
    } catch (error) {
      const dbError = postgresError(error);
      if (!dbError || !(isLockTimeout(dbError) || isRetryable(dbError)) || attempt === MAX_TRIES) throw error;
      await delay(PAUSE_MS);
    }
  }
}

async function runOnce(dataSource: DataSource): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  try {
    await prepareMigrations(runner);
    const executor = new MigrationExecutor(dataSource, runner);
    executor.transaction = 'all';
    return (await executor.executePendingMigrations()).map((migration) => migration.name);
  } finally {
    await runner.release();
  }
}

/** The message of a failed migration. */
function toStartupError(error: unknown): unknown {
  const dbError = postgresError(error);
  if (dbError && (isLockTimeout(dbError) || isRetryable(dbError)))
    return new StartupError(
      'The database was not migrated: timed out waiting for table locks that other sessions hold. Stop writers and long reads, and start again.',
      { cause: error },
    );
  if (dbError?.code === INSUFFICIENT_PRIVILEGE)
    return new StartupError(
      `The database must be migrated, but this login is not allowed to: ${dbError.message}. Set DATABASE_OWNER_URL to ` +
        'the login of the owner of the tables, or run "muster-admin migrate" as the owner.',
      { cause: error },
    );
  if (isReadOnly(error))
    return new StartupError(
      'The database does not accept writes: it is a standby, or default_transaction_read_only is on. Set DATABASE_URL to the primary.',
      { cause: error },
    );
  if (isDatabaseUnavailable(error))
    return new StartupError(
      `The connection was lost during the migration: ${connectionErrorMessage(error)}. No migration was applied partially: start again.`,
      { cause: error },
    );
  if (dbError)
    return new StartupError(
      `Nothing was migrated, because the database reported an error: ${[dbError.message, dbError.detail].filter(Boolean).join('; ')}.`,
      { cause: error },
    );
  return error;
}

/** @throws StartupError if the schema does not have exactly the migrations of this program */
export async function requireMigrated(connection: Connection, as: ConnectionRole = 'owner'): Promise<void> {
  const status = await schemaStatus(connection, as);
  assertKnown(status);
  if (status.pending.length === 0) return;
  throw new StartupError(
    status.applied.length === 0
      ? 'The database has no schema yet: run "muster-admin bootstrap" to create a first project and user, or "muster-admin migrate".'
      : `The database's schema is older than this program: run "muster-admin migrate" (pending: ${status.pending.join(', ')}).`,
  );
}

function assertKnown({ unknown }: SchemaStatus): void {
  if (unknown.length === 0) return;
  throw new StartupError(
    unknown.includes(UNRELEASED.first)
      ? `The database's schema is from before the first release and cannot be migrated: run "muster-admin migrate" and "muster-admin backup FILE" of the last version before the release, and "muster-admin restore FILE" of this version with an empty database. ${SEE_DOCUMENTATION}`
      : `The database's schema is newer than this program: it has ${unknown.join(', ')}. Start a newer Muster.`,
  );
}
