import { Injectable } from '@nestjs/common';
import type { Principal } from '../../core/context/request-context';
import { parseUuid } from '../../core/parameters';
import { Database } from '../../database/database';
import type { RowCache } from '../../database/row-cache';
import { arrayParameter, raw, sql } from '../../database/sql';
import { timestampText } from '../../database/resource-mapping';

/** The owner and the state of an API key. */
export interface ApiKeyOwner {
  readonly principal: Principal;
  readonly secretHash: Buffer;
  /** In UTC with microseconds, as in responses; `null` if the key does not expire. */
  readonly expiresAt: string | null;
  readonly isRevoked: boolean;
}

interface Row {
  key_id: string;
  secret_hash: Buffer;
  expires_at: string | null;
  is_revoked: boolean;
  project_id: string;
  user_id: number;
  username: string;
  is_admin: boolean;
  is_root: boolean;
  roles: string[];
}

/** A cache of API keys with their owners. It includes expired and revoked keys. */
@Injectable()
export class ApiKeyCache {
  private readonly owners: RowCache<ApiKeyOwner>;

  constructor(private readonly database: Database) {
    // The key of a root user can be used in other projects than its own.
    this.owners = database.rowCache({ read: (...keys) => this.readOwners(...keys), areElsewhere: true });
  }

  /**
   * Finds the owner of a key. The key can be expired or revoked.
   * @param project the project that the request names
   */
  async findOwner(keyId: string, project: string | undefined): Promise<ApiKeyOwner | undefined> {
    return this.owners.fetch(keyId, project === undefined ? undefined : parseUuid(project));
  }

  /** Called after changes of users or keys. */
  invalidate(): void {
    this.owners.clear();
  }

  private async readOwners(
    keyIds: readonly string[],
    projectId: string | undefined,
  ): Promise<ReadonlyMap<string, ApiKeyOwner>> {
    const condition = projectId === undefined ? sql`true` : sql`k.project_id = ${projectId}`;
    const rows = await this.database.rows<Row & Record<string, unknown>>(sql`
      SELECT k.key_id, k.secret_hash, ${raw(timestampText('k.expires_at'))} AS expires_at,
        k.revoked_at IS NOT NULL AS is_revoked,
        u.project_id, u.id AS user_id, u.username, u.is_admin, u.is_root, u.roles
      FROM api_keys k JOIN users u ON u.project_id = k.project_id AND u.id = k.user_id
      WHERE ${condition} AND k.key_id = ANY(${arrayParameter(keyIds)}::text[])`);
    return new Map(rows.map((row) => [row.key_id, toOwner(row)]));
  }
}

const toOwner = (row: Row): ApiKeyOwner => ({
  secretHash: row.secret_hash,
  expiresAt: row.expires_at,
  isRevoked: row.is_revoked,
  principal: {
    userId: row.user_id,
    username: row.username,
    homeProjectId: row.project_id,
    isAdmin: row.is_admin,
    isRoot: row.is_root,
    roles: row.roles,
  },
});
