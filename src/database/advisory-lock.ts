import { StartupError } from '../core/errors/startup-error';
import { withOwnerConnection } from './connection/admin-connection';
import type { Connection } from './connection/connection';

/**
 * Runs `work` while nobody else runs what takes the same lock, on whichever machine. It ends with the process, too.
 * @param taken the error message if another process holds the lock
 * @throws StartupError if another has it
 */
export async function withAdvisoryLock<T>(
  connection: Connection,
  lock: number,
  taken: string,
  work: () => Promise<T>,
): Promise<T> {
  return withOwnerConnection(connection, async (dataSource) => {
    const runner = dataSource.createQueryRunner();
    try {
      const [row] = (await runner.query('SELECT pg_try_advisory_lock($1) AS got', [lock])) as {
        got: boolean;
      }[];
      if (row?.got !== true) throw new StartupError(taken);
      return await work();
    } finally {
      // Closing the connection releases the lock.
      await runner.release();
    }
  });
}
