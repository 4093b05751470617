import type { QueryResultRow } from 'pg';
import { isDatabaseUnavailable, isRetryable, isQueryTimeout, postgresError } from '../errors/postgres-error';
import type { PlanMode, Queryable, Reader } from '../queryable';
import type { Sql } from '../sql';
import type { WalPosition } from '../../core/wal-position';
import type { Replica } from './replica';
import type { Replicas } from './replicas';

/**
 * Reads for one request, all from one server, so that no read is older than a previous one: from a replica, or from the
 * primary if no replica is usable, or after the replica failed.
 */
export class RequestReader implements Reader {
  private chosen: Promise<Replica | undefined> | undefined;

  /** @param after the position that the reads must include */
  constructor(
    private readonly primary: Reader,
    private readonly replicas: Replicas,
    private readonly after: WalPosition | undefined,
  ) {}

  async rows<T extends QueryResultRow>(statement: Sql, planning?: PlanMode): Promise<T[]> {
    return this.read((server) => server.rows<T>(statement, planning));
  }

  async snapshot<T>(work: (on: Queryable) => Promise<T>): Promise<T> {
    return this.read((server) => server.snapshot(work));
  }

  private async read<T>(read: (server: Reader) => Promise<T>): Promise<T> {
    const replica = await (this.chosen ??= this.replicas.choose(this.after));
    if (!replica) return read(this.primary);
    try {
      return await read(replica);
    } catch (error) {
      // A slow replica ends the statement itself, so a query timeout means that the replica does not respond.
      const isUnavailable = isDatabaseUnavailable(error) || isQueryTimeout(error);
      if (!isUnavailable && !isConflict(error)) throw error;
      if (isUnavailable) replica.markUnavailable();
      this.chosen = Promise.resolve(undefined);
      return read(this.primary);
    }
  }
}

/** Whether a replica cancelled a statement because it conflicted with recovery. */
function isConflict(error: unknown): boolean {
  const dbError = postgresError(error);
  return dbError !== undefined && isRetryable(dbError);
}
