import { DataSource, MigrationExecutor, type MigrationInterface } from 'typeorm';
import { connectionOptions } from '../../../ormconfig';
import { isDatabaseAway, postgresError } from '../errors/postgres-error';
import { StartupError } from '../errors/startup-error';
import { MAY_SET_ROLE, SERVICE_ROLE, type Connection } from './connection';
import { noteRestoration } from './restorations';

/** The state of a database's schema against the migrations that this program knows. */
export interface SchemaStatus {
  readonly applied: readonly string[];
  readonly pending: readonly string[];
  /** Applied by a newer program. */
  readonly unknown: readonly string[];
}

/** Any number will do, as long as every Muster takes the same one. */
const MIGRATION_LOCK = 7_780_000;

/** Runs `work` with a connection as the user that owns the schema. */
export async function asOwner<T>(
  connection: Connection,
  work: (dataSource: DataSource) => Promise<T>,
): Promise<T> {
  const dataSource = new DataSource(connectionOptions(connection, { as: 'owner', patient: true }));
  try {
    await dataSource.initialize();
  } catch (error) {
    throw startupErrorOf(error);
  }
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

function startupErrorOf(error: unknown): unknown {
  const said = postgresError(error);
  if (!said && !isDatabaseAway(error)) return error;
  const reason =
    error instanceof AggregateError ? String(error.errors[0]) : error instanceof Error ? error.message : '';
  return new StartupError(
    `The database cannot be reached: ${reason}. Check DATABASE_URL and that the server runs.`,
    {
      cause: error,
    },
  );
}

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

/** Says which migrations the database has and lacks. */
export function schemaStatus(connection: Connection): Promise<SchemaStatus> {
  return asOwner(connection, statusOf);
}

/**
 * Brings the schema up to this program's version; of two that start at once, one migrates and the other waits.
 * @returns the names of the migrations that were run
 * @throws StartupError if the database cannot be reached or its schema is newer than the program
 */
export function migrate(connection: Connection): Promise<string[]> {
  return asOwner(connection, async (dataSource) => {
    const guard = dataSource.createQueryRunner();
    await guard.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    try {
      const status = await statusOf(dataSource);
      refuseNewer(status);
      const run = (await dataSource.runMigrations()).map((migration) => migration.name);
      await noteRestoration(guard);
      return run;
    } finally {
      await guard.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
      await guard.release();
    }
  });
}

/** @throws StartupError if the schema is not just what this program works with */
export async function requireMigrated(connection: Connection): Promise<void> {
  const status = await schemaStatus(connection);
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

/** Whether connections can take the service's role; a server where the migrating user may not create roles lacks it. */
export function hasServiceRole(connection: Connection): Promise<boolean> {
  return asOwner(connection, async (dataSource) => {
    const rows = await dataSource.query<{ usable: string }[]>(
      `SELECT count(*) FILTER (WHERE pg_has_role(CURRENT_USER, oid, ${MAY_SET_ROLE})) AS usable
       FROM pg_roles WHERE rolname = $1`,
      [SERVICE_ROLE],
    );
    return rows[0]?.usable === '1';
  });
}
