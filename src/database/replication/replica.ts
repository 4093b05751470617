import { Client, Pool, type PoolClient, type QueryResultRow } from 'pg';
import { isQueryTimeout, postgresError } from '../errors/postgres-error';
import { type ConcurrencyLimiter, sharesOf, singleFlight } from '../../core/concurrency';
import { HealthProbe } from '../health/health-probe';
import {
  databaseLimiter,
  readerOn,
  runStatement,
  type PlanMode,
  type Queryable,
  type Reader,
} from '../queryable';
import { CONNECT_TIMEOUT_MS } from '../connection/connection-options';
import type { ServerPoolConfig } from '../connection/server-config';
import { sql, type Sql } from '../sql';
import { REPLAYED_POSITION, type ReplayedPosition } from './primary-position';

/** A server that follows the primary, for reads. */
export class Replica implements Reader {
  /** Host and port. */
  readonly name: string;
  /** The number of requests that read from it. */
  reads = 0;
  /** Whether it is ahead of the primary: it follows another server, or has writes that the primary has lost. */
  isAhead = false;
  /** Its last replay position; undefined while it is unavailable. */
  position: ReplayedPosition | undefined;
  /** Why it is unavailable. */
  failure = '';
  /** Limits the reads of requests. */
  readonly limiter: ConcurrencyLimiter;
  private connections: Connections;
  private readonly probe: HealthProbe;

  /** @param timeoutMs the query timeout */
  constructor(
    private readonly config: ServerPoolConfig,
    private readonly timeoutMs: number,
  ) {
    this.connections = connectionsOf(config);
    const { max } = this.connections.pool.options;
    this.limiter = databaseLimiter(max, sharesOf(max), 'reads of a replica', CONNECT_TIMEOUT_MS);
    this.probe = new HealthProbe(config);
    // The driver parses the URL. This client is never connected.
    const { host, port } = new Client(config);
    this.name = `${host}:${String(port)}`;
  }

  hasReached(at: string): boolean {
    return this.position !== undefined && this.position.at >= at;
  }

  /** Reads its replay position. */
  readonly refresh = singleFlight(() => this.readPosition());

  /** A query failed: the replica counts as unavailable until the next successful probe. */
  markUnavailable(): void {
    this.position = undefined;
  }

  async rows<T extends QueryResultRow>(statement: Sql, planning?: PlanMode): Promise<T[]> {
    return (await runStatement<T>(this.connections.pool, statement, planning, this.timeoutMs)).rows;
  }

  async snapshot<T>(work: (on: Queryable) => Promise<T>): Promise<T> {
    const client = await this.connections.pool.connect();
    const on = readerOn(client, this.timeoutMs);
    try {
      await on.rows(sql`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`, 'custom');
      const result = await work(on);
      await on.rows(sql`COMMIT`, 'custom');
      client.release();
      return result;
    } catch (error) {
      if (isQueryTimeout(error)) client.release(true);
      else await rollBack(client, on);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.probe.close();
    await this.connections.pool.end();
  }

  private async readPosition(): Promise<void> {
    try {
      this.position = await this.probe.query<ReplayedPosition>(REPLAYED_POSITION);
    } catch (error) {
      this.position = undefined;
      this.failure = error instanceof Error ? error.message : String(error);
      // After an error of the server itself, such as too many connections, existing connections still work.
      if (postgresError(error) === undefined) this.closeConnections();
    }
  }

  /** Closes all connections, so that no request waits for a response that may never come. */
  private closeConnections(): void {
    const { pool, clients } = this.connections;
    if (pool.totalCount === 0) return;
    this.connections = connectionsOf(this.config);
    const ended = [...clients].map((client) => client.end());
    // Errors while closing do not matter.
    Promise.allSettled([...ended, pool.end()]).catch(() => undefined);
  }
}

/** A pool and its connected clients. */
interface Connections {
  readonly pool: Pool;
  readonly clients: ReadonlySet<PoolClient>;
}

function connectionsOf(config: ServerPoolConfig): Connections {
  const pool = new Pool(config);
  const clients = new Set<PoolClient>();
  // A lost idle connection is ignored: the next probe shows whether the server is available.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    clients.add(client);
    // A lost connection in use is ignored, too, because its query fails.
    client.on('error', () => undefined);
  });
  pool.on('remove', (client) => clients.delete(client));
  return { pool, clients };
}

/** Rolls back and releases a connection. A lost connection is removed from the pool. */
async function rollBack(client: PoolClient, on: Queryable): Promise<void> {
  try {
    await on.rows(sql`ROLLBACK`, 'custom');
    client.release();
  } catch {
    client.release(true);
  }
}
