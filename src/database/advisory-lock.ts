import { StartupError } from '../core/errors/startup-error';
import { withOwnerConnection } from './connection/admin-connection';
import type { Connection } from './connection/connection';

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
      return await work();
    } finally {
      // Closing the connection releases the lock.
      await runner.release();
    }
  });
}
