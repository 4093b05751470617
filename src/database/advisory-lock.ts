import { StartupError } from '../core/errors/startup-error';
import { asOwner } from './connection/admin-connection';
import type { Connection } from './connection/connection';

/**
 * Runs `work` while nobody else runs what takes the same lock, on whichever machine. It ends with the process, too.
 * @param taken the sentence for whoever comes while another has it
 * @throws StartupError if another has it
 */
export async function withLock<T>(
  connection: Connection,
  lock: number,
  taken: string,
  work: () => Promise<T>,
): Promise<T> {
  return asOwner(connection, async (dataSource) => {
    const runner = dataSource.createQueryRunner();
    try {
      const [row] = (await runner.query('SELECT pg_try_advisory_lock($1) AS got', [lock])) as {
        got: boolean;
      }[];
      if (row?.got !== true) throw new StartupError(taken);
      return await work();
    } finally {
      // Its connection is closed with it, and with that the lock is gone.
      await runner.release();
    }
  });
}
