import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database';
import { sql } from '../../../database/sql';
import { ttlCache } from '../../ttl-cache';
import type { KeystoneEntity, ScopedToken } from './keystone-token';

/** A user and a project in Keystone. */
export type KeystoneIdentity = Pick<ScopedToken, 'user' | 'project'>;

/** A user of Keystone that is registered in Muster. */
export interface RegisteredUser {
  readonly id: number;
  readonly username: string;
}

/** Creates projects and users for the first token of a Keystone user. */
export interface KeystoneUserRegistrar {
  /** @throws InventoryError 409 if all candidate names are taken */
  register(newcomer: KeystoneIdentity): Promise<RegisteredUser>;
}

/**
 * The candidate names of a user or a project from Keystone. Names in Muster are unique without a domain, so the first
 * free candidate is used.
 */
export const candidateNames = ({ id, name, domain }: KeystoneEntity): readonly string[] => [
  name,
  `${name}@${domain.name}`,
  `${name}@${id}`,
];

/** A cache of Keystone users that are registered in Muster. */
@Injectable()
export class KeystoneUsers {
  private registrar: KeystoneUserRegistrar | undefined;
  private readonly cache = ttlCache((key) => this.find(JSON.parse(key) as KeystoneIdentity));

  constructor(private readonly database: Database) {}

  /** Sets the registrar, which is in a module that imports this one. */
  setRegistrar(registrar: KeystoneUserRegistrar): void {
    this.registrar = registrar;
  }

  /** Finds a user, or registers it. @throws InventoryError 409, 503 */
  async findOrRegister({ user, project }: KeystoneIdentity): Promise<RegisteredUser> {
    const found = await this.cache.fetch(JSON.stringify({ user, project }));
    if (!found) throw new Error('the registrar returned no user');
    return found;
  }

  /** Called after changes of users. */
  invalidate(): void {
    this.cache.clear();
  }

  private async find(newcomer: KeystoneIdentity): Promise<RegisteredUser> {
    const { user, project } = newcomer;
    const [row] = await this.database.rows<{ id: number; username: string }>(sql`
      SELECT id, username FROM users WHERE project_id = ${project.id} AND keystone_id = ${user.id}`);
    if (row && candidateNames(user).includes(row.username)) return row;
    if (!this.registrar) throw new Error('no registrar of Keystone users is set');
    return this.registrar.register(newcomer);
  }
}
