import { Injectable } from '@nestjs/common';
import { deleteProjectSessions, deleteSessions } from '../../auth/sessions/session-store';
import { Database } from '../../database/database';
import { timestampText } from '../../database/resource-mapping';
import { raw, sql, type Sql } from '../../database/sql';

/** A session in the list of a command. Times are in UTC. It contains no secret. */
export interface ListedSession {
  readonly project: string;
  readonly username: string;
  readonly method: 'api-key' | 'oidc';
  readonly created_at: string;
  readonly used_at: string;
  /** When it ends at the latest. */
  readonly expires_at: string;
}

/** Lists and ends the sessions of users, for commands. */
@Injectable()
export class UserSessionsService {
  constructor(private readonly database: Database) {}

  /** The sessions of a project, or of all, that have not expired. @param projectId undefined: all projects */
  async list(projectId: string | undefined): Promise<ListedSession[]> {
    return this.database.rows<ListedSession & Record<string, unknown>>(sql`
      SELECT p.name AS project, u.username, CASE WHEN s.oidc IS NULL THEN 'api-key' ELSE 'oidc' END AS method,
        ${time('s.created_at')} AS created_at, ${time('s.used_at')} AS used_at, ${time('s.expires_at')} AS expires_at
      FROM sessions s JOIN users u ON u.project_id = s.project_id AND u.id = s.user_id
        JOIN projects p ON p.id = s.project_id
      WHERE s.expires_at > now() AND ${projectId === undefined ? sql`true` : sql`s.project_id = ${projectId}`}
      ORDER BY p.name, u.username, s.created_at`);
  }

  /**
   * Ends sessions. A running service rejects them within five seconds.
   * @param userId the user; undefined: all users of the project
   * @returns how many there were
   */
  async end(projectId: string, userId: number | undefined): Promise<number> {
    return this.database.transaction(async (tx) =>
      userId === undefined
        ? deleteProjectSessions(tx, projectId)
        : deleteSessions(tx, { projectId, id: userId }),
    );
  }
}

const time = (column: string): Sql => raw(timestampText(column));
