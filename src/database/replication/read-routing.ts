import type { QueryResultRow } from 'pg';
import { isDatabaseUnavailable, isRetryable, isQueryTimeout, postgresError } from '../errors/postgres-error';
import type { PlanMode, Queryable, Reader } from '../queryable';
import type { Sql } from '../sql';
import type { WalPosition } from '../../core/wal-position';
import type { Replica } from './replica';
import type { Replicas } from './replicas';

/**
 * What one request reads, all of it on one server, so that nothing it sees is older than what it saw before: on a
 * replica, or where none will do, or from when that one fails, on the primary.
 */
export class RequestReader implements Reader {
  private chosen: Promise<Replica | undefined> | undefined;

  /** @param after what it has to see at least */
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
      // One that is slow ends a statement by itself: who says nothing is not slow.
      const isAway = isDatabaseUnavailable(error) || isQueryTimeout(error);
      if (!isAway && !isConflict(error)) throw error;
      if (isAway) replica.suspect();
      this.chosen = Promise.resolve(undefined);
      return read(this.primary);
    }
  }
}

/** A replica ends what reads for so long that it keeps the replica from following the primary. */
function isConflict(error: unknown): boolean {
  const said = postgresError(error);
  return said !== undefined && isRetryable(said);
}
