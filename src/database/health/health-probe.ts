import { Client, type QueryResultRow } from 'pg';
import { runStatement } from '../queryable';
import type { ServerConfig } from '../connection/server-config';
import type { Sql } from '../sql';

/** A server that does not respond within this time counts as unavailable. */
const PROBE_TIMEOUT_MS = 2_000;

/**
 * Queries a server on a separate connection. A connection of the pool could have a queue, and a busy server is not
 * unavailable. After a lost connection, the next query connects again.
 */
export class HealthProbe {
  private connection: Promise<Client> | undefined;

  /** @param timeoutMs after which the server counts as unavailable */
  constructor(
    private readonly config: ServerConfig,
    private readonly timeoutMs = PROBE_TIMEOUT_MS,
  ) {}

  /** @throws if the server is unavailable, or the query fails */
  async query<T extends QueryResultRow>(query: Sql): Promise<T> {
    const connection = (this.connection ??= this.createConnection());
    try {
      const [row] = (await runStatement<T>(await connection, query)).rows;
      if (!row) throw new Error('a probe returned no row');
      return row;
    } catch (error) {
      this.drop(connection);
      throw error;
    }
  }

  close(): void {
    if (this.connection) this.drop(this.connection);
  }

  private createConnection(): Promise<Client> {
    const connection = this.connect(() => {
      // The next query connects again.
      if (this.connection === connection) this.connection = undefined;
    });
    return connection;
  }

  private async connect(onLost: () => void): Promise<Client> {
    const limits = { connectionTimeoutMillis: this.timeoutMs, query_timeout: this.timeoutMs };
    const client = new (this.config.Client ?? Client)({ ...this.config, ...limits });
    client.on('error', onLost);
    await client.connect();
    return client;
  }

  private drop(connection: Promise<Client>): void {
    if (this.connection === connection) this.connection = undefined;
    connection
      .then((client) => client.end())
      // The connection was never established, or is already closed.
      .catch(() => undefined);
  }
}
