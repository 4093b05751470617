import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Pool, type PoolClient, type PoolOptions, type QueryResultRow } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { runStatement, type Queryable } from './queryable';
import type { Sql } from './sql';

/** The maximum number of sessions of a process: see `openDatabase` and "Scaling" in docs/operations.md. */
export const MAX_SESSIONS = 8;

/**
 * A connection beside the pool, for work that waits for a client of the service: it cannot exhaust the pool. Its temporary
 * tables end with it, also if the process is killed. Statements have no timeout, and each is planned for the size of the
 * tables at that time.
 */
export class Session implements Queryable {
  private constructor(
    private readonly own: Pool,
    private readonly client: PoolClient,
  ) {}

  /** @param options those of the pool */
  static async open(options: PoolOptions): Promise<Session> {
    const own = new Pool(options);
    const client = await own.connect();
    // The statement that finds the connection lost reports it.
    client.on('error', () => undefined);
    const session = new Session(own, client);
    try {
      await client.query('SET statement_timeout = 0');
      return session;
    } catch (error) {
      await session.end();
      throw error;
    }
  }

  async rows<T extends QueryResultRow>(statement: Sql): Promise<T[]> {
    return (await runStatement<T>(this.client, statement, 'custom')).rows;
  }

  /** Adds rows to a table. @param into a table and its columns @param rows made by `copyRow` */
  async copy(into: string, rows: readonly string[]): Promise<void> {
    await pipeline(Readable.from([rows.join('')]), this.client.query(copyFrom(`COPY ${into} FROM STDIN`)));
  }

  /** Closes the connection. */
  async end(): Promise<void> {
    this.client.release(true);
    await this.own.end();
  }
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** A row of `COPY`. A text with a zero character, which PostgreSQL cannot store, is null. */
export const copyRow = (values: readonly (string | number | undefined)[]): string =>
  `${values.map(copyValue).join('\t')}\n`;

function copyValue(value: string | number | undefined): string {
  if (value === undefined) return '\\N';
  if (typeof value === 'number') return String(value);
  return value.includes('\0') ? '\\N' : value.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? '');
}
