import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database';
import { sql } from '../../../database/sql';
import { ttlCache } from '../../ttl-cache';
import type { Known, ScopedToken } from './keystone-token';

/** Somebody in a project, as Keystone knows both. */
export type Newcomer = Pick<ScopedToken, 'user' | 'project'>;

/** A user as Muster knows it. */
export interface RegisteredUser {
  readonly id: number;
  readonly username: string;
}

/** Makes projects and users that come from Keystone for the first time. */
export interface Registrar {
  /** @throws InventoryError 409 if all names that they could have are taken */
  register(newcomer: Newcomer): Promise<RegisteredUser>;
}

/**
 * What a user or a project of Keystone's can be called here, where names are unique without a domain: the first of these
 * that nobody else has when it comes.
 */
export const namesOf = ({ id, name, domain }: Known): readonly string[] => [
  name,
  `${name}@${domain.name}`,
  `${name}@${id}`,
];

/** The users that Keystone vouches for. */
@Injectable()
export class KeystoneUsers {
  private registrar: Registrar | undefined;
  private readonly known = ttlCache((key) => this.find(JSON.parse(key) as Newcomer));

  constructor(private readonly database: Database) {}

  /** Users are made by a module that comes later in the order of imports. */
  registeredBy(registrar: Registrar): void {
    this.registrar = registrar;
  }

  /** A user as Muster knows it, made now if need be. @throws InventoryError 409, 503 */
  async of({ user, project }: Newcomer): Promise<RegisteredUser> {
    const found = await this.known.fetch(JSON.stringify({ user, project }));
    if (!found) throw new Error('a user was found, and is none');
    return found;
  }

  /** Called after whatever changes users. */
  forget(): void {
    this.known.clear();
  }

  private async find(newcomer: Newcomer): Promise<RegisteredUser> {
    const { user, project } = newcomer;
    const [row] = await this.database.rows<{ id: number; username: string }>(sql`
      SELECT id, username FROM users WHERE project_id = ${project.id} AND keystone_id = ${user.id}`);
    if (row && namesOf(user).includes(row.username)) return row;
    if (!this.registrar) throw new Error('nobody registers users of Keystone');
    return this.registrar.register(newcomer);
  }
}
