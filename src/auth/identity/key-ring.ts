import { Injectable } from '@nestjs/common';
import type { Principal } from '../../shared/context/request-context';
import { Database } from '../../shared/persistence/database';
import { sql } from '../../shared/persistence/sql';
import { ShortLived } from '../short-lived';

/** What a key stands for. */
export interface KeyHolder {
  readonly principal: Principal;
  readonly secretHash: Buffer;
  /** Milliseconds since the epoch; infinite for a key without an end. */
  readonly expiresAt: number;
}

interface Row {
  secret_hash: Buffer;
  expires_at: number | null;
  project_id: string;
  user_id: number;
  username: string;
  is_admin: boolean;
  is_root: boolean;
  roles: string[];
}

/** The API keys in use and who holds them. */
@Injectable()
export class KeyRing {
  private readonly holders = new ShortLived((keyId) => this.readHolder(keyId));

  constructor(private readonly database: Database) {}

  /** The holder of a key that is neither revoked nor expired. */
  async holder(keyId: string): Promise<KeyHolder | undefined> {
    const known = await this.holders.get(keyId);
    return known && known.expiresAt > Date.now() ? known : undefined;
  }

  /** Called after whatever changes users or keys. */
  forget(): void {
    this.holders.forget();
  }

  private async readHolder(keyId: string): Promise<KeyHolder | undefined> {
    const [row] = await this.database.rows<Row & Record<string, unknown>>(sql`
      SELECT k.secret_hash, (extract(epoch FROM k.expires_at) * 1000)::float8 AS expires_at,
        u.project_id, u.id AS user_id, u.username, u.is_admin, u.is_root, u.roles
      FROM api_keys k JOIN users u ON u.project_id = k.project_id AND u.id = k.user_id
      WHERE k.key_id = ${keyId} AND k.revoked_at IS NULL`);
    if (!row) return undefined;
    return {
      secretHash: row.secret_hash,
      expiresAt: row.expires_at ?? Infinity,
      principal: {
        userId: row.user_id,
        username: row.username,
        homeProjectId: row.project_id,
        isAdmin: row.is_admin,
        isRoot: row.is_root,
        roles: row.roles,
      },
    };
  }
}
