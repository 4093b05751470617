import { AbstractLogger, DataSource } from 'typeorm';
import { connectionOptions } from '../../../ormconfig';
import { isDatabaseUnavailable, postgresError } from '../errors/postgres-error';
import { StartupError } from '../../core/errors/startup-error';
import type { ConnectionRole, Connection } from './connection';

/** Runs `work` with a connection as the user that owns the schema. */
export const withOwnerConnection = <T>(
  connection: Connection,
  work: (dataSource: DataSource) => Promise<T>,
): Promise<T> => withConnection('owner', connection, work);

/**
 * Runs `work` with a connection of a login.
 * @param patient whether statements wait for locks without end
 * @throws StartupError if the database cannot be reached
 */
export async function withConnection<T>(
  as: ConnectionRole,
  connection: Connection,
  work: (dataSource: DataSource) => Promise<T>,
  patient = true,
): Promise<T> {
  const options = connectionOptions(connection, { as, patient });
  const dataSource = new DataSource({ ...options, logger: new Silence() });
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

/** A migration that fails is told of by TypeORM on the standard output, whatever it is asked to log: that is for programs. */
class Silence extends AbstractLogger {
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

/** What an error says of why there is no connection. */
export function connectionErrorMessage(error: unknown): string {
  if (error instanceof AggregateError) return String(error.errors[0]);
  return error instanceof Error ? error.message : '';
}
