import { Injectable } from '@nestjs/common';
import type { Principal } from '../../core/context/request-context';
import { parseUuid } from '../../core/parameters';
import { Database } from '../../database/database';
import { arrayParameter, raw, sql, type Sql } from '../../database/sql';
import { timestampText } from '../../database/resource-mapping';
import { ttlCache } from '../ttl-cache';
import { sequentialLoader } from '../sequential-loader';

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
  private readonly loader = sequentialLoader((keyIds) => this.readOwners(keyIds));
  private readonly owners = ttlCache((keyId) => this.loader.load(keyId));
  /** By the project of the request and the id of the key. */
  private readonly ownersInProjects = ttlCache((address) => this.findOwnerIn(address));
  /** A loader for the keys of each project, so that unknown keys of a project occupy at most one connection. */
  private readonly projects = ttlCache(async (projectId) => {
    if (!(await this.existingProjects.load(projectId))) return undefined;
    return sequentialLoader((keyIds) => this.readOwners(keyIds, sql`k.project_id = ${projectId}`));
  });
  private readonly existingProjects = sequentialLoader(async (ids) => {
    const rows = await this.database.rows<{ id: string }>(
      sql`SELECT p.id FROM projects p WHERE p.id = ANY(${arrayParameter(ids)}::uuid[])`,
    );
    return new Map(rows.map(({ id }) => [id, true]));
  });

  constructor(private readonly database: Database) {}

  /**
   * Finds the owner of a key. The key can be expired or revoked.
   * @param project the project that the request names. In a distributed database, the key is searched there first, so
   * that requests need no other node than that of their project
   */
  async findOwner(keyId: string, project: string | undefined): Promise<ApiKeyOwner | undefined> {
    const projectId = project === undefined ? undefined : parseUuid(project);
    const isFoundByProject = projectId !== undefined && (await this.database.isDistributed());
    const owner = isFoundByProject ? await this.ownersInProjects.fetch(`${projectId} ${keyId}`) : undefined;
    return owner ?? this.owners.fetch(keyId);
  }

  /** Called after changes of users or keys. */
  invalidate(): void {
    this.owners.clear();
    this.ownersInProjects.clear();
  }

  private async findOwnerIn(address: string): Promise<ApiKeyOwner | undefined> {
    const [projectId = '', keyId = ''] = address.split(' ');
    return (await this.projects.fetch(projectId))?.load(keyId);
  }

  private async readOwners(
    keyIds: readonly string[],
    condition: Sql = sql`true`,
  ): Promise<ReadonlyMap<string, ApiKeyOwner>> {
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
