import { Client, type QueryResultRow } from 'pg';
import { runStatement } from '../queryable';
import type { ServerConfig } from '../connection/pool-config';
import type { Sql } from '../sql';

/** A server that does not answer for so long is away, for whatever reason. */
const PROBE_TIMEOUT_MS = 2_000;

/**
 * Asks a server how it fares, on a connection of its own: one from the pool would be waited for when the server is busy,
 * and a busy server is not one that is away. A connection that was lost is made anew by the next question.
 */
export class HealthProbe {
  private connection: Promise<Client> | undefined;

  /** @param timeoutMs after which the server counts as unavailable */
  constructor(
    private readonly config: ServerConfig,
    private readonly timeoutMs = PROBE_TIMEOUT_MS,
  ) {}

  /** @throws if the server is away, or refuses to answer */
  async ask<T extends QueryResultRow>(question: Sql): Promise<T> {
    const connection = (this.connection ??= this.connected());
    try {
      const [row] = (await runStatement<T>(await connection, question)).rows;
      if (!row) throw new Error('a server says nothing of itself');
      return row;
    } catch (error) {
      this.drop(connection);
      throw error;
    }
  }

  close(): void {
    if (this.connection) this.drop(this.connection);
  }

  private connected(): Promise<Client> {
    const connection = this.connect(() => {
      // The next question is put on another one.
      if (this.connection === connection) this.connection = undefined;
    });
    return connection;
  }

  private async connect(isLost: () => void): Promise<Client> {
    const limits = { connectionTimeoutMillis: this.timeoutMs, query_timeout: this.timeoutMs };
    const client = new (this.config.Client ?? Client)({ ...this.config, ...limits });
    client.on('error', isLost);
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
