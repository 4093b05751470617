import { AbstractLogger, DataSource } from 'typeorm';
import { migrationOptions } from '../../migration-options';
import {
  connectionErrorMessage,
  isDatabaseUnavailable,
  isOutOfConnections,
  postgresError,
} from '../errors/postgres-error';
import { StartupError } from '../../core/errors';
import type { ConnectionRole, Connection } from './connection';
import { assertSupported } from './server-version';

/** Runs `work` with a connection of the schema owner. */
export const withOwnerConnection = <T>(
  connection: Connection,
  work: (dataSource: DataSource) => Promise<T>,
): Promise<T> => withConnection('owner', connection, work);

/**
 * Runs `work` with a connection of a login.
 * @param waitsForLocks whether statements wait for locks without a timeout
 * @throws StartupError if the database cannot be reached, or its server is too old
 */
export async function withConnection<T>(
  as: ConnectionRole,
  connection: Connection,
  work: (dataSource: DataSource) => Promise<T>,
  waitsForLocks = true,
): Promise<T> {
  const options = migrationOptions(connection, { as, waitsForLocks });
  const dataSource = new DataSource({ ...options, logger: new SilentLogger() });
  try {
    await dataSource.initialize();
  } catch (error) {
    const setting = as === 'owner' && connection.owner ? 'DATABASE_OWNER_URL' : 'DATABASE_URL';
    throw startupErrorOf(error, setting);
  }
  try {
    assertSupported(dataSource.driver.version ?? '');
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

/**
 * Runs `work` with an advisory lock, which excludes other processes on any machine. It is also released if the process
 * exits.
 * @param lockedMessage the error message if another process holds the lock
 * @throws StartupError if another process holds the lock
 */
export async function withAdvisoryLock<T>(
  connection: Connection,
  lock: number,
  lockedMessage: string,
  work: () => Promise<T>,
): Promise<T> {
  return withOwnerConnection(connection, async (dataSource) => {
    const runner = dataSource.createQueryRunner();
    try {
      const [row] = (await runner.query('SELECT pg_try_advisory_lock($1) AS got', [lock])) as {
        got: boolean;
      }[];
      if (row?.got !== true) throw new StartupError(lockedMessage);
      const result = await work();
      // Unlock explicitly: the server may release the lock only some time after the client disconnects. A lost connection has no lock.
      await runner.query('SELECT pg_advisory_unlock($1)', [lock]).catch(() => undefined);
      return result;
    } finally {
      await runner.release();
    }
  });
}

/** Without it, TypeORM prints failed migrations on the standard output, whatever its log settings. */
class SilentLogger extends AbstractLogger {
  protected writeLog(): void {
    // The caller gets the error from the query.
  }
}

/** The message for a database that cannot be used. @param setting the setting with its URL */
function startupErrorOf(error: unknown, setting: string): unknown {
  if (!postgresError(error) && !isDatabaseUnavailable(error)) return error;
  const reason = connectionErrorMessage(error);
  if (isOutOfConnections(error))
    return new StartupError(
      `The database has no free connection: ${reason}. Raise its max_connections, or lower DATABASE_POOL_SIZE or WORKERS of the services that use it.`,
      { cause: error },
    );
  return new StartupError(
    `The database cannot be reached: ${reason}. Check ${setting} and that the server runs.`,
    { cause: error },
  );
}

/** A query for a sequence of the schema's tables that this login may not read. */
const HIDDEN_SEQUENCE = `
  SELECT s.relname::text AS sequence, CURRENT_USER::text AS login
  FROM pg_sequence q JOIN pg_class s ON s.oid = q.seqrelid
    JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = s.oid AND d.deptype IN ('a', 'i')
    JOIN pg_class t ON d.refclassid = 'pg_class'::regclass AND t.oid = d.refobjid
  WHERE t.relnamespace = current_schema()::regnamespace AND NOT has_sequence_privilege(q.seqrelid, 'SELECT, USAGE')
  ORDER BY s.relname LIMIT 1`;

/** A data source, or a runner with its transaction. */
interface StatementRunner {
  query(text: string): Promise<unknown>;
}

/**
 * Rejects a login that may read the tables but not all of their sequences, such as the service's. To such a login,
 * PostgreSQL shows a sequence as if it was never used.
 * @param outcome the last sentence of the error message
 * @throws StartupError for such a login
 */
export async function assertSequenceAccess(on: StatementRunner, outcome: string): Promise<void> {
  const [hidden] = (await on.query(HIDDEN_SEQUENCE)) as { sequence: string; login: string }[];
  if (hidden)
    throw new StartupError(
      `This requires the login of the tables' owner, and "${hidden.login}" may not read the sequence ${hidden.sequence}: set DATABASE_OWNER_URL. ${outcome}`,
    );
}
