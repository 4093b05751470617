import { Injectable } from '@nestjs/common';
import type { Principal } from '../../shared/context/request-context';
import { Database } from '../../shared/persistence/database';
import { sql } from '../../shared/persistence/sql';

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

interface Entry<T> {
  readonly value: T;
  readonly until: number;
}

/** A key that was revoked elsewhere works here for this long at most; the promise is five seconds. */
const KEEP_MS = 3_000;
const MOST_ENTRIES = 10_000;

/**
 * The API keys in use and who holds them, kept for three seconds. On this process a change to a user or key is
 * seen at once, because whoever makes it says so here.
 */
@Injectable()
export class KeyRing {
  private readonly holders = new Map<string, Entry<KeyHolder>>();
  private readonly projects = new Map<string, Entry<true>>();
  /** Counts forgettings, so that a look-up that was under way when one came does not put back what it read before. */
  private generation = 0;

  constructor(private readonly database: Database) {}

  /** The holder of a key that is neither revoked nor expired. */
  async holder(keyId: string): Promise<KeyHolder | undefined> {
    const known = fresh(this.holders, keyId) ?? (await this.readHolder(keyId));
    return known && known.expiresAt > Date.now() ? known : undefined;
  }

  async projectExists(projectId: string): Promise<boolean> {
    if (fresh(this.projects, projectId) === true) return true;
    const generation = this.generation;
    const until = Date.now() + KEEP_MS;
    const [row] = await this.database.rows(sql`SELECT FROM projects WHERE id = ${projectId}::uuid`);
    if (row && generation === this.generation) keep(this.projects, projectId, { value: true, until });
    return row !== undefined;
  }

  /** Called after whatever changes users, keys or projects; also if it failed, for a commit's answer can be lost. */
  forget(): void {
    this.generation++;
    this.holders.clear();
    this.projects.clear();
  }

  private async readHolder(keyId: string): Promise<KeyHolder | undefined> {
    const generation = this.generation;
    // The time counts from before the question, so that a slow answer does not stretch it.
    const until = Date.now() + KEEP_MS;
    const [row] = await this.database.rows<Row & Record<string, unknown>>(sql`
      SELECT k.secret_hash, (extract(epoch FROM k.expires_at) * 1000)::float8 AS expires_at,
        u.project_id, u.id AS user_id, u.username, u.is_admin, u.is_root, u.roles
      FROM api_keys k JOIN users u ON u.project_id = k.project_id AND u.id = k.user_id
      WHERE k.key_id = ${keyId} AND k.revoked_at IS NULL`);
    if (!row) return undefined;
    const holder: KeyHolder = {
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
    if (generation === this.generation) keep(this.holders, keyId, { value: holder, until });
    return holder;
  }
}

function fresh<T>(entries: Map<string, Entry<T>>, key: string): T | undefined {
  const entry = entries.get(key);
  return entry && entry.until > Date.now() ? entry.value : undefined;
}

function keep<T>(entries: Map<string, Entry<T>>, key: string, entry: Entry<T>): void {
  if (entries.size >= MOST_ENTRIES) entries.clear();
  entries.set(key, entry);
}
