import { AbstractLogger, DataSource } from 'typeorm';
import { connectionOptions } from '../../../ormconfig';
import { isDatabaseUnavailable, postgresError } from '../errors/postgres-error';
import { StartupError } from '../../core/errors/startup-error';
import type { ConnectionRole, Connection } from './connection';

/** Runs `work` with a connection of the schema owner. */
export const withOwnerConnection = <T>(
  connection: Connection,
  work: (dataSource: DataSource) => Promise<T>,
): Promise<T> => withConnection('owner', connection, work);

/**
 * Runs `work` with a connection of a login.
 * @param waitsForLocks whether statements wait for locks without a timeout
 * @throws StartupError if the database cannot be reached
 */
export async function withConnection<T>(
  as: ConnectionRole,
  connection: Connection,
  work: (dataSource: DataSource) => Promise<T>,
  waitsForLocks = true,
): Promise<T> {
  const options = connectionOptions(connection, { as, waitsForLocks });
  const dataSource = new DataSource({ ...options, logger: new SilentLogger() });
  try {
    await dataSource.initialize();
  } catch (error) {
    const setting = as === 'owner' && connection.owner ? 'DATABASE_OWNER_URL' : 'DATABASE_URL';
    throw startupErrorOf(error, setting);
  }
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
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
  return new StartupError(
    `The database cannot be reached: ${reason}. Check ${setting} and that the server runs.`,
    { cause: error },
  );
}

/** The reason why a connection failed. */
export function connectionErrorMessage(error: unknown): string {
  if (error instanceof AggregateError) return String(error.errors[0]);
  return error instanceof Error ? error.message : '';
}
