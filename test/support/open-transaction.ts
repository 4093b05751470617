import { Client } from 'pg';
import type { Service } from './service';

/** A transaction of somebody else's, which records changes when it is told to. */
export class OpenTransaction {
  private constructor(
    private readonly client: Client,
    private readonly projectId: string,
  ) {}

  /** Begins a transaction, which has its id from then on. */
  static async begin(app: Service, projectId: string): Promise<OpenTransaction> {
    const client = new Client({ connectionString: app.databaseUrl });
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT pg_current_xact_id()');
    return new OpenTransaction(client, projectId);
  }

  /** Draws an id, which nobody sees before the commit. */
  async record(): Promise<number> {
    const { rows } = await this.client.query<{ id: string }>(
      `WITH change AS (
        INSERT INTO changes (project_id, created_at, actor_username, request_id)
        VALUES ($1, clock_timestamp(), 'writer', 'none') RETURNING project_id, id
      ), object AS (
        INSERT INTO change_objects (project_id, change_id, ordinal, kind, object_id, name, action, after)
        SELECT project_id, id, 0, 'cloud', 1, 'c', 'update', '{}' FROM change
      ) SELECT id FROM change`,
      [this.projectId],
    );
    return Number(rows[0]?.id);
  }

  async end(how: 'COMMIT' | 'ROLLBACK' = 'COMMIT'): Promise<void> {
    await this.client.query(how);
    await this.client.end();
  }
}
