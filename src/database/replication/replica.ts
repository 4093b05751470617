import { Client, Pool, type PoolClient, type QueryResultRow } from 'pg';
import { isQueryTimeout, postgresError } from '../errors/postgres-error';
import { singleFlight } from '../../core/single-flight';
import { HealthProbe } from '../health/health-probe';
import { readerOn, runStatement, type PlanMode, type Queryable, type Reader } from '../queryable';
import type { ServerPoolConfig } from '../connection/pool-config';
import { sql, type Sql } from '../sql';
import { REPLAYED_POSITION, type ReplayedPosition } from './primary-position';

/** A server that follows the primary, and is read from. */
export class Replica implements Reader {
  /** By which people know it: host and port. */
  readonly name: string;
  /** How many requests were answered from it. */
  reads = 0;
  /** It was further than the primary: it follows another server, or has what the primary has lost. */
  strays = false;
  /** What it said last; undefined while it is away. */
  said: ReplayedPosition | undefined;
  /** Why it is away. */
  fault = '';
  private connections: Connections;
  private readonly probe: HealthProbe;

  /** @param timeoutMs the query timeout */
  constructor(
    private readonly config: ServerPoolConfig,
    private readonly timeoutMs: number,
  ) {
    this.connections = connectionsOf(config);
    this.probe = new HealthProbe(config);
    // The driver reads URLs by rules of its own. A client that is not connected costs nothing.
    const { host, port } = new Client(config);
    this.name = `${host}:${String(port)}`;
  }

  hasReached(at: string): boolean {
    return this.said !== undefined && this.said.at >= at;
  }

  /** Asks the replica for its replay position. */
  readonly look = singleFlight(() => this.lookOnce());

  /** A query failed: the replica counts as unavailable until it answers again. */
  suspect(): void {
    this.said = undefined;
  }

  async rows<T extends QueryResultRow>(statement: Sql, planning?: PlanMode): Promise<T[]> {
    return (await runStatement<T>(this.connections.pool, statement, planning, this.timeoutMs)).rows;
  }

  async snapshot<T>(work: (on: Queryable) => Promise<T>): Promise<T> {
    const client = await this.connections.pool.connect();
    const on = readerOn(client, this.timeoutMs);
    try {
      await on.rows(sql`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`, 'each time');
      const result = await work(on);
      await on.rows(sql`COMMIT`, 'each time');
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

  private async lookOnce(): Promise<void> {
    try {
      this.said = await this.probe.ask<ReplayedPosition>(REPLAYED_POSITION);
    } catch (error) {
      // Whatever it is: who cannot be asked is away.
      this.said = undefined;
      this.fault = error instanceof Error ? error.message : String(error);
      // One that refuses a connection, and has none to spare, say, answers those who have one.
      if (postgresError(error) === undefined) this.abandon();
    }
  }

  /** Gives up all connections, so that nobody waits for an answer that may never come. */
  private abandon(): void {
    const { pool, clients } = this.connections;
    if (pool.totalCount === 0) return;
    this.connections = connectionsOf(this.config);
    const ended = [...clients].map((client) => client.end());
    // What becomes of them, nobody needs to know.
    Promise.allSettled([...ended, pool.end()]).catch(() => undefined);
  }
}

/** A pool, and what is connected in it, be it in use or idle. */
interface Connections {
  readonly pool: Pool;
  readonly clients: ReadonlySet<PoolClient>;
}

function connectionsOf(config: ServerPoolConfig): Connections {
  const pool = new Pool(config);
  const clients = new Set<PoolClient>();
  // An idle connection that breaks is of no interest: the next health check shows whether the server is available.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    clients.add(client);
    // Nor is one in use: its query fails.
    client.on('error', () => undefined);
  });
  pool.on('remove', (client) => clients.delete(client));
  return { pool, clients };
}

/** Releases a connection, unless it is lost together with its transaction. */
async function rollBack(client: PoolClient, on: Queryable): Promise<void> {
  try {
    await on.rows(sql`ROLLBACK`, 'each time');
    client.release();
  } catch {
    client.release(true);
  }
}
