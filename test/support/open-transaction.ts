import { Client } from 'pg';
import type { Service } from './service';

/** A separate transaction that can record changes. */
export class OpenTransaction {
  private constructor(
    private readonly client: Client,
    private readonly projectId: string,
  ) {}

  /** Begins a transaction, and assigns its transaction ID. */
  static async begin(app: Service, projectId: string): Promise<OpenTransaction> {
    const client = new Client({ connectionString: app.databaseUrl });
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT pg_current_xact_id()');
    return new OpenTransaction(client, projectId);
  }

  /** Records a change, which is not visible before the commit. @returns its ID */
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
